// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Attacca
import AttaccaBookmarks

/// Options for books of many files.
struct BookOptions: ParsableArguments {
  @Flag(
    name: .customLong("book"),
    help: """
      Take all files for one book: times are those of the whole, left and right go from file to file, 0 to 9 to \
      its tenths.
      """)
  var isBook = false

  @Option(
    name: .customLong("skip-intro"),
    help: ArgumentHelp(
      "Leave so much out at the beginning of each file; with --resume it is remembered of the book.",
      valueName: "time"), transform: { try Self.time($0, of: "--skip-intro") })
  var intro: MediaTime?

  @Option(
    name: .customLong("skip-outro"),
    help: ArgumentHelp(
      "Leave so much out at the end of each file; with --resume it is remembered of the book.",
      valueName: "time"), transform: { try Self.time($0, of: "--skip-outro") })
  var outro: MediaTime?

  private static func time(_ text: String, of option: String) throws -> MediaTime {
    guard let time = ClockText.parse(text) else {
      throw ValidationError("\(option) is seconds or h:mm:ss, not '\(text)'.")
    }
    return time
  }

  /// The settings of a book with what was asked for in place of what is remembered.
  func settings(over known: BookSettings?) -> BookSettings {
    BookSettings(
      rate: known?.rate, intro: intro ?? known?.intro ?? .zero,
      outro: outro ?? known?.outro ?? .zero)
  }

  /// Items without what `settings` leaves out; blocks until files have been read for their lengths, where the end is
  /// to be left out.
  static func items(_ items: [PlaylistItem], by settings: BookSettings) -> [PlaylistItem] {
    guard settings.intro > .zero || settings.outro > .zero else { return items }
    return items.map {
      $0.skipping(
        intro: settings.intro, outro: settings.outro,
        of: settings.outro > .zero ? duration(of: $0) : nil)
    }
  }

  /// nil where that is not known, or the file cannot be read, which playing tells.
  private static func duration(of item: PlaylistItem) -> MediaTime? {
    do throws(SoundFileError) {
      return try StallTimeout.wait(for: item.path) { timeout throws(SoundFileError) -> MediaTime? in
        let file = try SoundFile.of(input: item.bytePath)
        if file.frameCount == nil {
          while file.lengthSearch?.advance() == true { timeout.madeProgress() }
        }
        guard let frames = file.frameCount ?? file.lengthSearch?.frameCount else { return nil }
        let whole = MediaTime(RationalTime(frames: frames, rate: file.format.sampleRate))
        return min(item.end ?? whole, whole) - item.start
      }
    } catch {
      return nil
    }
  }
}
