// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Attacca
import AttaccaBookmarks

struct BookmarksCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bookmarks",
    abstract: "Lists where listening with --resume ended, the file heard last in front.")

  @Flag(help: "Print JSON.")
  var json = false

  @Option(help: ArgumentHelp("Forget a file.", valueName: "file"))
  var remove: [BytePath] = []

  @Flag(help: "Forget all files.")
  var removeAll = false

  @OptionGroup var errors: ErrorOptions

  func validate() throws {
    guard !removeAll || remove.isEmpty else {
      throw ValidationError("--remove-all leaves nothing for --remove.")
    }
  }

  func run() throws {
    let store = try Resuming.openStore()
    let bookmarks: [Bookmark]
    do throws(BookmarkError) {
      if removeAll { try store.removeAllBookmarks() }
      for path in remove {
        guard try store.removeBookmarks(of: path) == 0 else { continue }
        TextOutput.errors.write("attacca: \(path): no bookmark\n".withoutControls)
      }
      guard remove.isEmpty, !removeAll else { return TextOutput.errors.flush() }
      bookmarks = try store.bookmarks()
    } catch {
      throw Resuming.refusal("\(ErrorText.of(error))")
    }
    TextOutput.standard.write(json ? Self.json(bookmarks) : bookmarks.map(Self.line).joined())
    TextOutput.standard.flush()
  }

  /// "0:12:07 of 7:59:41  /books/a.m4b (Title)".
  private static func line(_ bookmark: Bookmark) -> String {
    // A damaged store may tell any number.
    func text(_ time: MediaTime) -> String {
      ClockText.short(seconds: Int(min(max(0, time.seconds), 1e9)))
    }
    let length = bookmark.duration.map { " of \(text($0))" } ?? ""
    let place = bookmark.isFinished ? "finished" : text(bookmark.position) + length
    let clip = bookmark.start > .zero ? " from \(text(bookmark.start))" : ""
    let title = bookmark.title.map { " (\($0))" } ?? ""
    return "\(place)  \(bookmark.path)\(clip)\(title)\n".withoutControls
  }

  private static func json(_ bookmarks: [Bookmark]) -> String {
    let values = bookmarks.map { bookmark in
      JSONValue.object([
        ("path", .string(bookmark.path.text)),
        ("start", time(bookmark.start)),
        ("position", time(bookmark.position)),
        ("duration", bookmark.duration.map(time) ?? .null),
        ("rate", .number("\(bookmark.rate)")),
        ("heardAt", .integer(Int(bookmark.heardAt.milliseconds))),
        ("finished", .bool(bookmark.isFinished)),
        ("title", bookmark.title.map { .string($0) } ?? .null),
      ])
    }
    return JSONValue.array(values).text() + "\n"
  }

  /// An exact time: a number and what it is divided by for seconds.
  private static func time(_ time: MediaTime) -> JSONValue {
    .object([("value", .integer(Int(time.value))), ("timescale", .integer(Int(time.timescale)))])
  }
}
