// SPDX-License-Identifier: Apache-2.0

import SoundFiles

/// The titles of a broadcast, as far as it has been decoded.
struct TitleFollower {
  private let isLive: Bool
  /// Tags that were told last; nil for those of the file's headers.
  private(set) var tags: Tags?
  private var ofFile: Tags

  /// Nothing but what the headers of `file` say.
  init(of file: SoundFile, isLive: Bool) { (self.isLive, ofFile) = (isLive, file.tags) }

  /// Takes the titles of what lies before byte `place` of a download, which `file` has decoded.
  ///
  /// - Returns: what is said from now on, if it is another.
  mutating func follow(_ download: Download, to place: Int64, in file: SoundFile) -> Tags? {
    let before = tags ?? ofFile
    if isLive, let title = download.takeTitles(before: place).last?.title {
      var new = file.tags
      new.title = title.isEmpty ? nil : title
      tags = new
    }
    // Another link of a chain, of a file too, has tags of its own.
    if file.tags != ofFile { (ofFile, tags) = (file.tags, nil) }
    let after = tags ?? file.tags
    return before != after ? after : nil
  }
}
