// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// Volume curves of the timeline, and the stream frames from which on each is heard.
///
/// Frames before a change keep the curve that they had: any frame can be rendered again identically. Of fixed
/// size; reading it is part of the render path.
struct VolumeCurves: ~Copyable {
  /// A curve that holds from stream frame `start` on, up to the next change.
  struct Change {
    var start: StreamFrame
    /// From `from` at `start` to `reached` at `start + length`; the curve's volume from there on.
    var length: Int64 = 0
    var from: Float = 1
    var reached: Float = 1
    /// Lines of the curve, which `curves` keeps; nil for 1 throughout.
    var segments: UnsafePointer<VolumeCurve.Segment>?
    var count = 0

    init(_ curve: VolumeCurve?, at start: StreamFrame) {
      self.start = start
      (segments, count) = (curve?.segments, curve?.count ?? 0)
    }
  }

  private static let capacity = 8
  // Owned: allocated here, freed in `deinit`. The first change is always there and tells the past.
  private let changes: UnsafeMutablePointer<Change>
  private var count = 1
  private var curves: [VolumeCurve] = []

  /// The newest curve; nil for 1 throughout.
  private(set) var curve: VolumeCurve?

  init(_ curve: VolumeCurve? = nil) {
    changes = .allocate(capacity: Self.capacity)
    changes.initialize(
      repeating: Change(curve, at: StreamFrame(.min / 2)), count: Self.capacity)
    self.curve = curve
    if let curve { curves = [curve] }
  }

  deinit { changes.deallocate() }

  /// True where every frame has the volume 1.
  var isUnity: Bool {
    @_noLocks @_noAllocation get { count == 1 && changes[0].segments == nil }
  }

  @_noLocks @_noAllocation
  private func index(at frame: StreamFrame) -> Int {
    var i = count &- 1
    while i > 0 && changes[i].start > frame { i = i &- 1 }
    return i
  }

  /// The stretch from `frame` on, at most `frames` long, over which the volume is one straight line, where `map`
  /// says what media time that is.
  @_noLocks @_noAllocation
  func run(at frame: StreamFrame, atMost frames: Int, in map: borrowing RenderMap) -> GainMap.Run {
    if isUnity { return GainMap.Run(frames: frames, from: 1, step: 0, since: 0) }
    let i = index(at: frame)
    let change = changes[i]
    var rest = Int64(frames)
    if i &+ 1 < count && changes[i &+ 1].start &- frame < rest {
      rest = changes[i &+ 1].start &- frame
    }
    if frame >= change.start && frame < change.start &+ change.length {
      let left = change.start &+ change.length &- frame
      if left < rest { rest = left }
      return GainMap.Run(
        frames: Int(rest), from: change.from,
        step: (change.reached - change.from) / Float(change.length),
        since: Int(frame &- change.start))
    }
    let p = map.index(at: frame)
    if let end = map.end(ofPieceAt: frame), end &- frame < rest { rest = end &- frame }
    let place = CurvePlace(
      segments: change.segments, count: change.count,
      zero: StreamFrame(map.pieces[p].stream.number &- map.pieces[p].media.number), phase: 0,
      rate: Double(map.pieces[p].rate), isReversed: map.pieces[p].isReversed)
    return place.run(at: frame, atMost: Int(rest))
  }

  /// From `frame` on `curve` is heard, after a straight line of `length` frames; everywhere at once where that is
  /// nil.
  mutating func set(
    _ curve: VolumeCurve?, at frame: StreamFrame?, length: Int, in map: borrowing RenderMap
  ) {
    self.curve = curve
    if let curve { curves.append(curve) }
    guard let frame else { return settle() }
    let from = run(at: frame, atMost: 1, in: map)[0]
    while count > 1 && changes[count - 1].start >= frame { count -= 1 }
    if count == Self.capacity {
      for i in 1..<count { changes[i - 1] = changes[i] }
      count -= 1
    }
    changes[count] = Change(curve, at: frame)
    count += 1
    let reached = run(at: frame + Int64(length), atMost: 1, in: map)[0]
    (changes[count - 1].length, changes[count - 1].from) = (Int64(length), from)
    changes[count - 1].reached = reached
    forgetCurves()
  }

  /// From `frame` on the newest curve is heard at another place: nothing goes on from before.
  mutating func jump(at frame: StreamFrame) {
    let last = count - 1
    let left = max(0, frame - changes[last].start)
    guard changes[last].length > left else { return }
    let step = (changes[last].reached - changes[last].from) / Float(changes[last].length)
    changes[last].reached = changes[last].from + step * Float(left)
    changes[last].length = left
  }

  /// The newest curve is heard everywhere, past included.
  mutating func settle() {
    changes[0] = Change(curve, at: StreamFrame(.min / 2))
    count = 1
    forgetCurves()
  }

  /// Forgets what ended before `frame`.
  mutating func forget(before frame: StreamFrame) {
    while count > 1 && changes[1].start + changes[1].length < frame {
      for i in 1..<count { changes[i - 1] = changes[i] }
      count -= 1
      changes[0].length = 0
      forgetCurves()
    }
  }

  private mutating func forgetCurves() {
    curves.removeAll { curve in
      !(0..<count).contains { changes[$0].segments == curve.segments }
    }
  }
}
