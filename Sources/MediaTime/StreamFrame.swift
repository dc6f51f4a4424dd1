// SPDX-License-Identifier: Apache-2.0

/// Frame of a device's stream, counted since that was opened.
///
/// Lengths stay plain numbers: the difference of two frames is one. Every operation that rendering uses
/// neither locks nor allocates, which the compiler checks, and costs what it costs on the number.
package struct StreamFrame: Hashable, Sendable, ExpressibleByIntegerLiteral {
  /// Frames before this one since the stream was opened; negative before that.
  package var number: Int64

  @inlinable @_noLocks @_noAllocation
  package init(_ number: Int64) { self.number = number }

  @inlinable package init(integerLiteral number: Int64) { self.number = number }

  /// Before any frame there is.
  @inlinable package static var min: StreamFrame { StreamFrame(.min) }
  /// Behind any frame there is.
  @inlinable package static var max: StreamFrame { StreamFrame(.max) }
}

extension StreamFrame: Comparable, Strideable {
  @inlinable @_noLocks @_noAllocation
  package static func == (a: StreamFrame, b: StreamFrame) -> Bool { a.number == b.number }

  @inlinable @_noLocks @_noAllocation
  package static func < (a: StreamFrame, b: StreamFrame) -> Bool { a.number < b.number }

  @inlinable @_noLocks @_noAllocation
  package static func > (a: StreamFrame, b: StreamFrame) -> Bool { a.number > b.number }

  @inlinable @_noLocks @_noAllocation
  package static func <= (a: StreamFrame, b: StreamFrame) -> Bool { a.number <= b.number }

  @inlinable @_noLocks @_noAllocation
  package static func >= (a: StreamFrame, b: StreamFrame) -> Bool { a.number >= b.number }

  /// Frames from this one to `other`.
  @inlinable package func distance(to other: StreamFrame) -> Int { Int(other.number - number) }

  /// Frame that lies `frames` behind this one.
  @inlinable package func advanced(by frames: Int) -> StreamFrame {
    StreamFrame(number + Int64(frames))
  }
}

extension StreamFrame {
  /// Frame that lies `frames` behind `a`.
  @inlinable package static func + (a: StreamFrame, frames: Int64) -> StreamFrame {
    StreamFrame(a.number + frames)
  }

  /// Frame that lies `frames` behind `a`.
  @inlinable package static func + (a: StreamFrame, frames: Int) -> StreamFrame {
    StreamFrame(a.number + Int64(frames))
  }

  /// Frame that lies `frames` before `a`.
  @inlinable package static func - (a: StreamFrame, frames: Int64) -> StreamFrame {
    StreamFrame(a.number - frames)
  }

  /// Frame that lies `frames` before `a`.
  @inlinable package static func - (a: StreamFrame, frames: Int) -> StreamFrame {
    StreamFrame(a.number - Int64(frames))
  }

  /// Frames from `b` to `a`.
  @inlinable package static func - (a: StreamFrame, b: StreamFrame) -> Int64 {
    a.number - b.number
  }

  @inlinable package static func += (a: inout StreamFrame, frames: Int64) { a.number += frames }

  @inlinable package static func += (a: inout StreamFrame, frames: Int) {
    a.number += Int64(frames)
  }

  /// Frame that lies `frames` behind `a`, without a check for overflow.
  @inlinable @_noLocks @_noAllocation
  package static func &+ (a: StreamFrame, frames: Int64) -> StreamFrame {
    StreamFrame(a.number &+ frames)
  }

  /// Frames from `b` to `a`, without a check for overflow.
  @inlinable @_noLocks @_noAllocation
  package static func &- (a: StreamFrame, b: StreamFrame) -> Int64 { a.number &- b.number }
}
