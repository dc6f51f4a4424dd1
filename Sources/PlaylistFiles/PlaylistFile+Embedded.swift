// SPDX-License-Identifier: Apache-2.0

public import SoundFiles

extension PlaylistFile {
  /// The tracks of the cue sheet in the tags of the sound file at `path`, "CUESHEET" of a FLAC file above all; nil where
  /// it has none. Blocks as long as the disk does.
  ///
  /// - Throws: Why the file cannot be read, and `broken` for a sheet that is none.
  public init?(
    embeddedIn path: BytePath, tags: Tags, pregaps: CueSheet.Pregaps = .kept
  ) throws(SoundFileError) {
    guard let text = tags["cuesheet"].first else { return nil }
    let sheet = try CueSheet(text: Array(text.utf8), name: path.text)
    self.init(
      try sheet.entries(embeddedIn: path, pregaps: pregaps), title: sheet.tags.album, format: .cue)
  }
}
