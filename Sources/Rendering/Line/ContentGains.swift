// SPDX-License-Identifier: Apache-2.0

package import MediaTime

/// Gains of the parts of a line's content, as a function of the stream frames at which that lies.
///
/// Apart from the line's other gains, as these move with the content. Reading is part of the render path;
/// parts are added, and memory with them, by whoever enqueues.
package struct ContentGains: ~Copyable {
  /// Content from stream frame `start` on, up to the next part.
  struct Part {
    var key: ContentKey
    var start: StreamFrame
    /// From `from` at stream frame `since` to `reached` at `since + length`; the factor is `to` from there on.
    var since: StreamFrame
    var length: Int64 = 0
    var from: Float
    var reached: Float
    var to: Float
    /// Volume that `to` is multiplied by.
    var volume = CurvePlace(
      segments: nil, count: 0, zero: 0, phase: 0, rate: 1, isReversed: false)
    /// The timeline's time at which that has its zero.
    var zero = RationalTime.zero
    /// Frames that are mixed of several contents, with all gains of content in them.
    var isMixed = false

    init(_ key: ContentKey, at start: StreamFrame, factor: Float) {
      (self.key, self.start, since) = (key, start, start)
      (from, reached, to) = (factor, factor, factor)
    }

    /// The part without a ramp.
    mutating func settle() { (since, length, from, reached) = (start, 0, to, to) }

    /// From `from` at `frame` it goes to its own gain in a straight line of `length` frames.
    mutating func ramp(from: Float, at frame: StreamFrame, length: Int) {
      (since, self.length, self.from) = (frame, Int64(length), from)
      reached = to * volume.run(at: frame + Int64(length), atMost: 1)[0]
    }

    mutating func setVolume(_ curve: VolumeCurve?) {
      (volume.segments, volume.count) = (curve?.segments, curve?.count ?? 0)
    }

    /// Its volume's time zero is where the timeline's frame 0 is at stream frame `offset`, at `rate`.
    mutating func place(at offset: StreamFrame, rate: Int, isReversed: Bool) {
      volume.zero = offset + zero.timelineFrame(at: rate).number
      (volume.phase, volume.rate) = (zero.phase(at: rate), Double(rate))
      volume.isReversed = isReversed
    }

    /// Tells whether it is as loud as `other` wherever that is.
    func isSame(as other: Part) -> Bool {
      to == other.to && volume.segments == other.volume.segments
        && (volume.segments == nil
          || volume.zero == other.volume.zero && volume.phase == other.volume.phase
            && volume.rate == other.volume.rate && volume.isReversed == other.volume.isReversed)
    }
  }

  // Owned: allocated here, freed in `deinit` or when it grows, never handed out.
  private var parts: UnsafeMutablePointer<Part>
  private var capacity = 16
  private(set) var count = 0
  /// Curves that parts refer to.
  private var curves: [VolumeCurve] = []

  package init() { parts = .allocate(capacity: capacity) }

  deinit { parts.deallocate() }

  /// True where every frame has the factor 1.
  package var isUnity: Bool {
    for i in 0..<count
    where parts[i].from != 1 || parts[i].to != 1 || parts[i].volume.segments != nil {
      return false
    }
    return true
  }

  /// The part that holds a frame; the first one where it lies before that.
  @_noLocks @_noAllocation
  private func index(at frame: StreamFrame) -> Int {
    var (low, high) = (0, count)
    while high &- low > 1 {
      let middle = (low &+ high) &>> 1
      if parts[middle].start <= frame { low = middle } else { high = middle }
    }
    return low
  }

  /// The stretch from `frame` on, at most `frames` long, over which the gain is one straight line.
  @_noLocks @_noAllocation
  func run(at frame: StreamFrame, atMost frames: Int) -> GainMap.Run {
    if count == 0 { return GainMap.Run(frames: frames, from: 1, step: 0, since: 0) }
    var i = index(at: frame)
    let part = parts[i]
    var rest = Int64(frames)
    if frame < part.since { rest = least(rest, part.since &- frame) }
    if frame >= part.since && frame < part.since &+ part.length {
      if i &+ 1 < count { rest = least(rest, parts[i &+ 1].start &- frame) }
      rest = least(rest, part.since &+ part.length &- frame)
      let step = (part.reached - part.from) / Float(part.length)
      return GainMap.Run(
        frames: Int(rest), from: part.from, step: step, since: Int(frame &- part.since))
    }
    let factor = frame < part.since ? part.from : part.to
    if part.volume.segments != nil {
      if i &+ 1 < count { rest = least(rest, parts[i &+ 1].start &- frame) }
      let run = part.volume.run(at: frame, atMost: Int(rest))
      return GainMap.Run(
        frames: run.frames, from: run.from * factor, step: run.step * factor, since: run.since)
    }
    // Parts as short as a loop of a millisecond are one run where they are alike.
    while i &+ 1 < count, parts[i &+ 1].start &- frame < rest {
      i = i &+ 1
      if parts[i].from != factor || parts[i].to != factor || parts[i].volume.segments != nil
        || parts[i].isMixed != part.isMixed
      {
        rest = parts[i].start &- frame
        break
      }
    }
    return GainMap.Run(frames: Int(rest), from: factor, step: 0, since: 0)
  }

  /// Tells whether a frame is mixed of several contents, with all gains of content in it; so is then its whole run.
  @_noLocks @_noAllocation
  func isMixed(at frame: StreamFrame) -> Bool {
    if count == 0 { return false }
    return parts[index(at: frame)].isMixed
  }

  // Written out: `min` is generic, and in a debug build may take a lock for its metadata.
  @_noLocks @_noAllocation
  private func least(_ a: Int64, _ b: Int64) -> Int64 { a < b ? a : b }

  /// The factor of one frame.
  package func factor(at frame: StreamFrame) -> Float { run(at: frame, atMost: 1)[0] }

  /// The factors of `frames` frames from `frame` on.
  func factors(from frame: StreamFrame, frames: Int) -> [Float] {
    (0..<frames).map { factor(at: frame + $0) }
  }

  // MARK: Parts

  /// Content from `frame` on is that of `gain`, whose timeline's frame 0 lies at stream frame `offset`; parts from
  /// there on are forgotten.
  ///
  /// Where the same key's lies before it, that goes on, its ramps included, to another factor or volume by a ramp
  /// of `length` frames.
  package mutating func begin(
    _ gain: ContentGain, at frame: StreamFrame, offset: StreamFrame, rate: Int, isReversed: Bool,
    length: Int
  ) {
    var part = Part(gain.key, at: frame, factor: gain.factor)
    part.zero = gain.zero
    part.place(at: offset, rate: rate, isReversed: isReversed)
    part.setVolume(keep(gain.volume))
    begin(part, length: length)
  }

  /// The same of content whose volume is 1 throughout.
  mutating func begin(_ key: ContentKey, at frame: StreamFrame, factor: Float, length: Int) {
    begin(Part(key, at: frame, factor: factor), length: length)
  }

  private mutating func begin(_ new: Part, length: Int) {
    truncate(at: new.start)
    guard count > 0, parts[count - 1].key == new.key else { return append(new) }
    let last = parts[count - 1]
    guard !last.isSame(as: new) else { return }
    var part = new
    // At another place of the same volume nothing is to be hidden that a crossfade does not.
    if last.to != new.to || last.volume.segments != new.volume.segments {
      part.ramp(from: factor(at: new.start), at: new.start, length: length)
    }
    append(part)
  }

  /// `curve`, or one that says the same and is here already.
  private mutating func keep(_ curve: VolumeCurve?) -> VolumeCurve? {
    guard let curve else { return nil }
    if let known = curves.last(where: { VolumeCurve.isSame($0, curve) }) { return known }
    curves.append(curve)
    return curve
  }

  /// Frames `range` are mixed of several contents, with all gains of content in them.
  mutating func mix(_ range: Range<StreamFrame>) {
    guard !range.isEmpty else { return }
    if count == 0 || parts[0].start > range.lowerBound {
      insert(Part(.none, at: StreamFrame(.min / 2), factor: 1), at: 0)
    }
    let last = index(at: range.upperBound)
    if parts[last].start < range.upperBound { split(last, at: range.upperBound) }
    var first = 0
    while parts[first].start < range.lowerBound { first += 1 }
    var next = first
    while next < count && parts[next].start < range.upperBound { next += 1 }
    for i in next..<count { parts[first + i - next] = parts[i] }
    count -= next - first
    var mixed = Part(.none, at: range.lowerBound, factor: 1)
    mixed.isMixed = true
    insert(mixed, at: first)
  }

  private mutating func append(_ part: Part) {
    if count == capacity {
      let larger = UnsafeMutablePointer<Part>.allocate(capacity: 2 * capacity)
      larger.update(from: parts, count: count)
      parts.deallocate()
      (parts, capacity) = (larger, 2 * capacity)
    }
    parts[count] = part
    count += 1
  }

  /// Forgets parts that begin at `frame` or later.
  mutating func truncate(at frame: StreamFrame) {
    while count > 0 && parts[count - 1].start >= frame { count -= 1 }
    // What is mixed ends here at the latest.
    if count > 0, parts[count - 1].isMixed { append(Part(.none, at: frame, factor: 1)) }
  }

  /// Forgets parts that end at `frame` or before.
  package mutating func forget(before frame: StreamFrame) {
    var gone = 0
    while gone + 1 < count && parts[gone + 1].start <= frame { gone += 1 }
    guard gone > 0 else { return }
    for i in gone..<count { parts[i - gone] = parts[i] }
    count -= gone
    forgetCurves()
  }

  private mutating func forgetCurves() {
    guard !curves.isEmpty else { return }
    curves.removeAll { curve in
      !(0..<count).contains { parts[$0].volume.segments == curve.segments }
    }
  }

  mutating func removeAll() { (count, curves) = (0, []) }

  /// Gives the content of all parts that begin at `first` or later the number *frame + delta*.
  mutating func shift(by delta: Int64, from first: StreamFrame = .min) {
    for i in 0..<count where parts[i].start >= first {
      parts[i].start += delta
      parts[i].since += delta
      parts[i].volume.zero += delta
    }
  }

  /// Gives parts that begin behind `end` other timeline frames: what lay at *frame + offset* lies at *new frame +
  /// newOffset*, of `rate` a second.
  mutating func renumber(
    after end: StreamFrame, offset: StreamFrame, to newOffset: StreamFrame, rate: Int,
    isReversed: Bool, _ renumbered: (TimelineFrame) -> TimelineFrame
  ) {
    for i in 0..<count where parts[i].start > end {
      let start = max(end, newOffset + renumbered(TimelineFrame(parts[i].start - offset)).number)
      parts[i].since += start - parts[i].start
      parts[i].start = start
    }
    for i in 0..<count { parts[i].place(at: newOffset, rate: rate, isReversed: isReversed) }
  }

  /// The factor of content whose key `isMeant` goes to `factor` within `length` frames from `frame` on, at
  /// once where that is nil; frames before it keep theirs.
  mutating func ramp(
    to factor: Float, at frame: StreamFrame?, length: Int, where isMeant: (ContentKey) -> Bool
  ) {
    change(at: frame, length: length, where: isMeant) { $0.to = factor }
  }

  /// The same with the content's volume, which becomes that of `curve`.
  mutating func ramp(
    to curve: VolumeCurve?, at frame: StreamFrame?, length: Int, where isMeant: (ContentKey) -> Bool
  ) {
    let curve = keep(curve)
    change(at: frame, length: length, where: isMeant) { $0.setVolume(curve) }
  }

  private mutating func change(
    at frame: StreamFrame?, length: Int, where isMeant: (ContentKey) -> Bool,
    _ change: (inout Part) -> Void
  ) {
    guard var frame else {
      for i in 0..<count where isMeant(parts[i].key) {
        change(&parts[i])
        parts[i].settle()
      }
      return
    }
    guard count > 0 else { return }
    var present = index(at: frame)
    // What is mixed has its gains already.
    if parts[present].isMixed, present + 1 < count {
      present += 1
      frame = parts[present].start
    }
    var from: Float?
    if isMeant(parts[present].key) {
      from = factor(at: frame)
      if parts[present].start < frame { split(present, at: frame) }
    }
    for i in 0..<count where parts[i].start >= frame {
      guard isMeant(parts[i].key) else {
        from = nil
        continue
      }
      change(&parts[i])
      parts[i].settle()
      if let from, parts[i].start < frame + length {
        parts[i].ramp(from: from, at: frame, length: length)
      }
    }
  }

  /// The part's frames from `frame` on are a part of their own.
  private mutating func split(_ index: Int, at frame: StreamFrame) {
    var part = parts[index]
    part.start = frame
    insert(part, at: index + 1)
  }

  private mutating func insert(_ part: Part, at index: Int) {
    append(part)
    var i = count - 1
    while i > index {
      parts[i] = parts[i - 1]
      i -= 1
    }
    parts[index] = part
  }
}
