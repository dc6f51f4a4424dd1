// SPDX-License-Identifier: Apache-2.0

import Attacca
import AttaccaLoudness

/// Files of a scan that are one album, and how loud they are together.
struct LoudnessAlbum: Sendable {
  /// Files of the same key are of one album.
  struct Key: Hashable, Sendable {
    /// nil where the tags name none.
    let title: String?
    let artist: String?
    /// nil where title and artist say enough.
    let folder: BytePath?

    init(_ tags: Tags, at path: BytePath) {
      title = tags.album.flatMap { $0.isEmpty ? nil : $0 }
      artist = title == nil ? nil : tags.albumArtist
      folder = artist == nil ? path.folder : nil
    }

    /// The name for people.
    var name: String {
      let names = [artist, title].compactMap(\.self)
      if !names.isEmpty { return names.joined(separator: " – ") }
      return folder.map { $0.bytes.isEmpty ? "this folder" : $0.text } ?? ""
    }
  }

  let key: Key
  let measured: MeasuredLoudness
  let fileCount: Int
}
