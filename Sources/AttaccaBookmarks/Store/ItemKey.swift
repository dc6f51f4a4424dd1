// SPDX-License-Identifier: Apache-2.0

import Attacca
import MediaTime
import SoundFiles

/// Key of a bookmark: a file or the name of another source, and the beginning of a clip in it.
struct ItemKey {
  /// The file; nil of another source, or where there is none now.
  let file: FileIdentity?
  /// The file's path from the root on, or the source's name.
  let path: BytePath
  /// The beginning of the clip in lowest terms, as "1/75"; "0/1" of a whole file.
  let clip: String

  init(_ item: PlaylistItem) {
    file = item.isFile ? FileIdentity(item.bytePath) : nil
    path = file?.path ?? item.bytePath
    let start = RationalTime(item.start)
    clip = "\(start.numerator)/\(start.denominator)"
  }

  /// The beginning of a clip by its text; zero where that is none.
  static func start(ofClip text: String) -> MediaTime {
    let parts = text.split(separator: "/")
    guard parts.count == 2, let value = Int64(parts[0]), let scale = Int32(parts[1]), scale > 0
    else { return .zero }
    return MediaTime(value: value, timescale: scale)
  }
}

extension PlaylistItem {
  /// True for a file, or a clip of one.
  var isFile: Bool { source.map { $0 is FileSource || $0 is SharedFileSource } ?? true }
}
