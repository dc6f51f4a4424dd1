// SPDX-License-Identifier: Apache-2.0

public import SoundFiles

extension PlaylistFile {
  /// The tracks of a cue sheet in the tags of the sound file at `path`; nil where it has none.
  ///
  /// The tag is "CUESHEET", of FLAC files above all.
  ///
  /// - Throws: `broken` for a sheet that is none.
  public init?(
    embeddedIn path: BytePath, tags: Tags, pregaps: CueSheet.Pregaps = .kept
  ) throws(SoundFileError) {
    guard let text = tags["cuesheet"].first else { return nil }
    let sheet = try CueSheet(text: Array(text.utf8), name: path.text)
    self.init(
      try sheet.entries(embeddedIn: path, pregaps: pregaps), title: sheet.title, format: .cue)
  }
}
