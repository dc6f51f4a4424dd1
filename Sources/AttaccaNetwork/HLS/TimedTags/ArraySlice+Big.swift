// SPDX-License-Identifier: Apache-2.0

extension ArraySlice<UInt8> {
  /// The number in `size` bytes from an offset on, the highest first; nil where they are not there.
  func big(at offset: Int, _ size: Int) -> UInt64? {
    guard offset >= 0, offset + size <= count else { return nil }
    return self[(startIndex + offset)..<(startIndex + offset + size)].reduce(0) {
      $0 << 8 | UInt64($1)
    }
  }
}
