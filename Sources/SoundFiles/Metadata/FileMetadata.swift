// SPDX-License-Identifier: Apache-2.0

/// Metadata of a file: what it says beside its sound.
struct FileMetadata {
  var tags = Tags()
  /// In order.
  var chapters: [Chapter] = []

  /// Takes what is not here from `other`.
  mutating func fill(from other: FileMetadata) {
    tags.fill(from: other.tags)
    if chapters.isEmpty { chapters = other.chapters }
  }
}

extension FileMetadata {
  init(_ comments: VorbisComments) { (tags, chapters) = (comments.tags, comments.chapters) }
}
