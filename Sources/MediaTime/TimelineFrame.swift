// SPDX-License-Identifier: Apache-2.0

/// Frame of the timeline: media time in frames, of which a rate that is known beside it makes a second.
///
/// Lengths stay plain numbers: the difference of two frames is one. Another rate gives the same moment
/// another number.
package struct TimelineFrame: Hashable, Sendable, ExpressibleByIntegerLiteral {
  /// Frames from media time 0 to this one; negative before that.
  package var number: Int64

  @inlinable package init(_ number: Int64) { self.number = number }

  @inlinable package init(integerLiteral number: Int64) { self.number = number }
}

extension TimelineFrame: Comparable, Strideable {
  @inlinable package static func == (a: TimelineFrame, b: TimelineFrame) -> Bool {
    a.number == b.number
  }

  @inlinable package static func < (a: TimelineFrame, b: TimelineFrame) -> Bool {
    a.number < b.number
  }

  /// Frames from this one to `other`.
  @inlinable package func distance(to other: TimelineFrame) -> Int { Int(other.number - number) }

  /// Frame that lies `frames` behind this one.
  @inlinable package func advanced(by frames: Int) -> TimelineFrame {
    TimelineFrame(number + Int64(frames))
  }
}

extension TimelineFrame {
  /// Frame that lies `frames` behind `a`.
  @inlinable package static func + (a: TimelineFrame, frames: Int64) -> TimelineFrame {
    TimelineFrame(a.number + frames)
  }

  /// Frame that lies `frames` behind `a`.
  @inlinable package static func + (a: TimelineFrame, frames: Int) -> TimelineFrame {
    TimelineFrame(a.number + Int64(frames))
  }

  /// Frame that lies `frames` before `a`.
  @inlinable package static func - (a: TimelineFrame, frames: Int64) -> TimelineFrame {
    TimelineFrame(a.number - frames)
  }

  /// Frame that lies `frames` before `a`.
  @inlinable package static func - (a: TimelineFrame, frames: Int) -> TimelineFrame {
    TimelineFrame(a.number - Int64(frames))
  }

  /// Frames from `b` to `a`.
  @inlinable package static func - (a: TimelineFrame, b: TimelineFrame) -> Int64 {
    a.number - b.number
  }

  /// Frame of the same moment on the mirrored timeline.
  @inlinable package static prefix func - (a: TimelineFrame) -> TimelineFrame {
    TimelineFrame(-a.number)
  }

  @inlinable package static func += (a: inout TimelineFrame, frames: Int64) { a.number += frames }

  @inlinable package static func += (a: inout TimelineFrame, frames: Int) {
    a.number += Int64(frames)
  }
}

extension RationalTime {
  /// Time at which `frame` begins, where a second has `rate` frames.
  package init(_ frame: TimelineFrame, rate: Int) { self.init(frames: frame.number, rate: rate) }

  /// Timeline frame nearest to this time, where a second has `rate` frames.
  package func timelineFrame(at rate: Int) -> TimelineFrame { TimelineFrame(frames(at: rate)) }
}
