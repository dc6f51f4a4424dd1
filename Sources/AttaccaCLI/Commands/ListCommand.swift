// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Attacca

struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Reads and writes playlists: M3U, PLS, XSPF, cue sheets and ASX.",
    subcommands: [ConvertListCommand.self])
}

struct ConvertListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Writes a playlist in the format that another name says.",
    discussion: """
      What is read may be a list, a folder, or a sound file with a cue sheet in its tags. Lists within a list stay \
      names. What the new format has no place for is told.
      """)

  @Argument(help: "A playlist, a folder, or a sound file with a cue sheet in its tags.")
  var input: BytePath

  @Argument(help: "The new list: .m3u8, .m3u, .pls, .xspf, .cue or .asx.")
  var output: BytePath

  @Option(
    help: ArgumentHelp(
      "What becomes of pauses in front of tracks of a cue sheet (INDEX 00).",
      valueName: "kept|dropped|prepended"))
  var pregaps = CueSheet.Pregaps.kept

  @Flag(help: "Replace the list if it is there.")
  var force = false

  @OptionGroup var errors: ErrorOptions

  func run() throws {
    let output = BytePath(address: output) ?? output
    do throws(SoundFileError) {
      let list = try read(BytePath(address: input) ?? input)
      let losses = try list.write(to: output, overwrites: force)
      let count = list.entries.count
      TextOutput.standard.write(
        "\(output): \(count) \(count == 1 ? "entry" : "entries")\n".withoutControls)
      for loss in losses.sorted(by: { $0.rawValue < $1.rawValue }) {
        TextOutput.errors.write("attacca: \(output): \(loss.words)\n".withoutControls)
      }
    } catch {
      let hint = error.kind == .exists ? "; --force replaces it" : ""
      TextOutput.errors.write("\(ErrorText.of(error))\(hint)\n".withoutControls)
      TextOutput.errors.flush()
      throw ExitCode(ExitStatus.refused.rawValue)
    }
    TextOutput.standard.flush()
    TextOutput.errors.flush()
  }

  private func read(_ input: BytePath) throws(SoundFileError) -> PlaylistFile {
    if input.isFolder {
      let named = NamedFiles(input)
      if named.entries.isEmpty, let failure = named.failures.first { throw failure }
      for failure in named.failures {
        TextOutput.errors.write("\(ErrorText.of(failure))\n".withoutControls)
      }
      return PlaylistFile(named.entries)
    }
    if PlaylistFile.isPlaylist(input) { return try PlaylistFile(path: input, pregaps: pregaps) }
    let tags = try SoundFile.of(input: input).tags
    guard let list = try PlaylistFile(embeddedIn: input, tags: tags, pregaps: pregaps) else {
      throw SoundFileError(
        .unsupported, path: input.text, call: "PlaylistFile",
        cause: "no playlist by its name, and no cue sheet in its tags")
    }
    return list
  }
}

extension PlaylistFile.Loss {
  /// The loss as a line of text says it.
  fileprivate var words: String {
    switch self {
    case .clips: "the format has no parts of files: whole files are named"
    case .ends: "a track ends where the next one begins: ends in between are lost"
    case .gaps: "silence in front of tracks is lost"
    case .fractions: "times are 75ths of a second: the nearest are written"
    case .tags: "the format has no place for some tags"
    }
  }
}
