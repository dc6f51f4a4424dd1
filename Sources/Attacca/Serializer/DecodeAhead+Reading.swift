// SPDX-License-Identifier: Apache-2.0

import MediaTime
import SoundFiles

extension DecodeAhead {
  /// The item that is open, and what its file has told.
  struct Reading {
    /// The item that has more to be decoded; nil for none.
    var item: OpenItem?
    /// Changes of gains in it, not reached yet.
    private(set) var volumeParts: [OpenItem.VolumePart] = []
    /// The search for its length, if its file did not tell that.
    private(set) var lengthSearch: LengthSearch?

    /// `item` has been opened, which may have no frame.
    mutating func open(_ item: OpenItem) {
      lengthSearch = item.span.duration == nil ? item.lengthSearch : nil
      volumeParts = item.volumeParts
    }

    /// The end of `item` has been decided on, and overlaps.
    mutating func addEnd(of item: OpenItem) { volumeParts += item.volumeParts.suffix(1) }

    /// The next change of gains that begins at `place` of the item or before; nil from then on.
    mutating func popVolumePart(upTo place: RationalTime) -> OpenItem.VolumePart? {
      guard let part = volumeParts.first, part.begin <= place else { return nil }
      return volumeParts.removeFirst()
    }

    /// The item is over.
    mutating func close() { (item, lengthSearch) = (nil, nil) }
  }
}
