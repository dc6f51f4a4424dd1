// SPDX-License-Identifier: Apache-2.0

import SoundFiles

/// The timed tags of one part of a stream, as far as it has come.
struct PartTags {
  private var reader = TimedTagReader()
  /// In the order of their times.
  private var all: [TimedTags] = []

  /// Tags that are kept: of a broadcast what was heard is not gone back to.
  private static let most = 4_096

  /// Another segment has come.
  mutating func append(_ piece: HLSSession.Piece) {
    let new = reader.tags(
      in: piece.bytes, front: piece.tag, header: piece.header, seconds: piece.seconds)
    guard let first = new.first else { return }
    let isInOrder = all.last.map { $0.ticks <= first.ticks } ?? true
    all += new
    if !isInOrder { all.sort { $0.ticks < $1.ticks } }
    if all.count > Self.most { all.removeFirst(all.count - Self.most) }
  }

  /// The tags that are true of a frame of the part, of so many a second, and the frame of the next ones; nil for none.
  func around(frame: Int64, rate: Int) -> (present: TimedTags?, next: Int64?) {
    let behind = all.partitioningIndex { $0.frame(at: rate) > frame }
    return (
      behind > 0 ? all[behind - 1] : nil, behind < all.count ? all[behind].frame(at: rate) : nil
    )
  }
}

extension [TimedTags] {
  /// The first index whose element `isBehind`, as are all behind it; the count for none.
  fileprivate func partitioningIndex(_ isBehind: (TimedTags) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
