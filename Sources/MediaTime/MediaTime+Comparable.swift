// SPDX-License-Identifier: Apache-2.0

extension MediaTime: Comparable {
  /// -1, 0 or 1 as this time is before, at or after `other`, `CMTimeCompare`.
  ///
  /// A total order: negative infinity, numbers, indefinite, positive infinity, invalid. Of two
  /// numbers the one of the later epoch is later; within an epoch the comparison is exact.
  public func compare(_ other: MediaTime) -> Int32 {
    let (kind, otherKind) = (kind, other.kind)
    if kind != otherKind { return kind < otherKind ? -1 : 1 }
    guard kind == .numeric else { return 0 }
    if epoch != other.epoch { return epoch < other.epoch ? -1 : 1 }
    if timescale == other.timescale {
      return value < other.value ? -1 : value == other.value ? 0 : 1
    }
    let left = value.multipliedFullWidth(by: Int64(other.timescale))
    let right = other.value.multipliedFullWidth(by: Int64(timescale))
    return left < right ? -1 : left == right ? 0 : 1
  }

  /// Tells whether two times are the same instant of the same epoch, at whatever timescales.
  public static func == (a: MediaTime, b: MediaTime) -> Bool {
    a.compare(b) == 0
  }

  /// Tells whether `a` comes before `b` in the order of `compare(_:)`.
  public static func < (a: MediaTime, b: MediaTime) -> Bool {
    a.compare(b) < 0
  }
}

extension MediaTime: Hashable {
  /// Feeds the number in lowest terms, so that equal times hash alike.
  public func hash(into hasher: inout Hasher) {
    let kind = kind
    hasher.combine(kind)
    guard kind == .numeric else { return }
    let divisor = greatestCommonDivisor(value.magnitude, UInt64(timescale))
    hasher.combine(value / Int64(divisor))
    hasher.combine(Int64(timescale) / Int64(divisor))
    hasher.combine(epoch)
  }
}
