// SPDX-License-Identifier: Apache-2.0

import SampleBuffers
import SoundFiles

/// The order of the files of a folder by the disc and the track numbers in their tags.
///
/// Tags are read as far as they are needed: not where the names number the files themselves, as "01 Prologue" and
/// "Chapter 12" do, nor behind the first file that has no track number or is of another album, by which the folder is
/// none of one album, and stays in the order of its names.
enum TrackOrder {
  private struct Track {
    let path: BytePath
    let disc: Int
    let number: Int
    /// Place by the names.
    let place: Int
  }

  /// Files, those of each folder behind each other and in the natural order of their names; each folder's by discs and tracks.
  ///
  /// Blocks until the files' headers have been read.
  static func ordered(
    _ paths: [BytePath], tags: (BytePath) -> Tags? = Self.tags(of:)
  ) -> [BytePath] {
    var ordered: [BytePath] = []
    var rest = paths[...]
    while let first = rest.first {
      let folder = first.folder
      let files = rest.prefix { $0.folder == folder }
      rest = rest.dropFirst(files.count)
      ordered += album(files, tags) ?? Array(files)
    }
    return ordered
  }

  /// nil where the names tell the order, or the tags do not.
  private static func album(
    _ paths: ArraySlice<BytePath>, _ tags: (BytePath) -> Tags?
  ) -> [BytePath]? {
    guard paths.count > 1, !areNumbered(paths.map { Array($0.name.bytes) }) else { return nil }
    var tracks: [Track] = []
    var album: String?
    for path in paths {
      guard let found = tags(path), let number = found.track?.number, let name = found.album,
        album.map({ $0 == name }) ?? true
      else { return nil }
      album = name
      tracks.append(
        Track(path: path, disc: found.disc?.number ?? 1, number: number, place: tracks.count))
    }
    return tracks.sorted {
      ($0.disc, $0.number, $0.place) < ($1.disc, $1.number, $1.place)
    }.map(\.path)
  }

  /// Tells whether all names have a number where they begin to differ, or one from their first letter on.
  private static func areNumbered(_ names: [[UInt8]]) -> Bool {
    guard let first = names.first else { return true }
    var common = names.dropFirst().reduce(first.count) { length, name in
      min(length, zip(first, name).prefix { $0 == $1 }.count)
    }
    // Names that differ in the last digits of their numbers have the first ones in common.
    while common > 0, isDigit(first[common - 1]) { common -= 1 }
    return names.allSatisfy { $0.count > common && isDigit($0[common]) }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// nil where a file cannot be read, which playing tells.
  private static func tags(of path: BytePath) -> Tags? {
    do throws(SoundFileError) {
      return try SoundFile(path: path, pool: FramePool()).tags
    } catch {
      return nil
    }
  }
}
