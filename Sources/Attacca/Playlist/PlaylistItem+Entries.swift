// SPDX-License-Identifier: Apache-2.0

public import PlaylistFiles
public import SoundFiles

extension PlaylistItem {
  /// Items for the entries of a list, in order; those that are parts of one file share a `SharedFileSource`.
  ///
  /// - Parameters:
  ///   - entries: What a `PlaylistFile` or `NamedFiles` has read.
  ///   - source: What plays an entry that is no file, by its path; nil for the file at the path.
  /// - Returns: An item an entry.
  public static func items(
    of entries: some Sequence<PlaylistFile.Entry>,
    source: (BytePath) -> (any AudioSource)? = { _ in nil }
  ) -> [PlaylistItem] {
    var shared: [BytePath: SharedFileSource] = [:]
    return entries.map { entry in
      // The title of a remark is a hint; a cue sheet says what its tracks are.
      let tags = entry.isClip || entry.tags.title != nil ? entry.tags : nil
      if let source = source(entry.path) {
        return PlaylistItem(
          source, start: entry.start, end: entry.end, gap: entry.gap, tags: tags)
      }
      guard entry.isClip else {
        guard tags != nil || entry.gap != nil else { return PlaylistItem(path: entry.path) }
        return PlaylistItem(FileSource(path: entry.path), gap: entry.gap, tags: tags)
      }
      let source = shared[entry.path] ?? SharedFileSource(path: entry.path)
      shared[entry.path] = source
      return PlaylistItem(
        source, start: entry.start, end: entry.end.map { max($0, entry.start) }, gap: entry.gap,
        tags: tags)
    }
  }
}
