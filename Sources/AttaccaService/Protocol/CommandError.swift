// SPDX-License-Identifier: Apache-2.0

/// Refusal of one command, which the client reads behind "ACK".
struct CommandError: Error, Hashable, CustomStringConvertible {
  let code: AckCode
  /// One line, in MPD's words where it has any.
  let text: String

  init(_ code: AckCode, _ text: String) { (self.code, self.text) = (code, text) }

  var description: String { text }

  /// The line for a client: which command it was in its list, counted from 0, and its name.
  func line(index: Int, command: String) -> String {
    // A line break within would be the end of the reply.
    let text = text.map { $0.isNewline ? " " : $0 }
    return "ACK [\(code.rawValue)@\(index)] {\(command)} \(String(text))\n"
  }
}

extension CommandError {
  static let noSuchSong = CommandError(.noExist, "No such song")
  static let badIndex = CommandError(.argument, "Bad song index")
  static let notPlaying = CommandError(.playerSync, "Not playing")
  static let noSuchPlaylist = CommandError(.noExist, "No such playlist")
  static let playlistExists = CommandError(.exist, "Playlist already exists")
  static let badPlaylistName = CommandError(.argument, "Bad playlist name")
  static let noSuchFolder = CommandError(.noExist, "No such directory")
  static let tooLarge = CommandError(.playlistMax, "playlist is at the max size")
  static let malformedURI = CommandError(.argument, "Malformed URI")
  static let accessDenied = CommandError(.permission, "Access denied")
}
