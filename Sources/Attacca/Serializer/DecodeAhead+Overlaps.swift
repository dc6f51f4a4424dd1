// SPDX-License-Identifier: Apache-2.0

extension DecodeAhead {
  /// The overlaps of items that have been decided on.
  struct Overlaps: Hashable {
    /// Number of overlaps.
    var count = 0
    /// True where the item being decoded ends otherwise than the present order has it.
    var isMisled = false
  }
}
