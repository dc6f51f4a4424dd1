// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// Gains of the parts of a line's content, as a function of the stream frames at which that lies.
///
/// Apart from the line's other gains, as these move with the content. Reading is part of the render path;
/// parts are added, and memory with them, by whoever enqueues.
struct ContentGains: ~Copyable {
  /// Content from stream frame `start` on, up to the next part.
  struct Part {
    var key: ContentKey
    var start: StreamFrame
    /// From `from` at stream frame `since` to `to` at `since + length`.
    var since: StreamFrame
    var length: Int64
    var from: Float
    var to: Float

    init(_ key: ContentKey, at start: StreamFrame, factor: Float) {
      (self.key, self.start, since, length) = (key, start, start, 0)
      (from, to) = (factor, factor)
    }
  }

  // Owned: allocated here, freed in `deinit` or when it grows, never handed out.
  private var parts: UnsafeMutablePointer<Part>
  private var capacity = 16
  private(set) var count = 0

  init() { parts = .allocate(capacity: capacity) }

  deinit { parts.deallocate() }

  /// Whether every frame has the factor 1.
  var isUnity: Bool {
    for i in 0..<count where parts[i].from != 1 || parts[i].to != 1 { return false }
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
      let step = (part.to - part.from) / Float(part.length)
      return GainMap.Run(
        frames: Int(rest), from: part.from, step: step, since: Int(frame &- part.since))
    }
    let factor = frame < part.since ? part.from : part.to
    // Parts as short as a loop of a millisecond are one run where they are alike.
    while i &+ 1 < count, parts[i &+ 1].start &- frame < rest {
      i = i &+ 1
      if parts[i].from != factor || parts[i].to != factor {
        rest = parts[i].start &- frame
        break
      }
    }
    return GainMap.Run(frames: Int(rest), from: factor, step: 0, since: 0)
  }

  // Written out: `min` is generic, and in a debug build may take a lock for its metadata.
  @_noLocks @_noAllocation
  private func least(_ a: Int64, _ b: Int64) -> Int64 { a < b ? a : b }

  /// The factor of one frame.
  func factor(at frame: StreamFrame) -> Float { run(at: frame, atMost: 1)[0] }

  /// The factors of `frames` frames from `frame` on.
  func factors(from frame: StreamFrame, frames: Int) -> [Float] {
    (0..<frames).map { factor(at: frame + $0) }
  }

  // MARK: Parts

  /// Content from `frame` on is that of `key`, at `factor`; parts from there on are forgotten.
  ///
  /// Where the same key's lies before it, that goes on, its ramps included, to another factor by a ramp of
  /// `length` frames.
  mutating func begin(_ key: ContentKey, at frame: StreamFrame, factor: Float, length: Int) {
    truncate(at: frame)
    guard count > 0, parts[count - 1].key == key else {
      return append(Part(key, at: frame, factor: factor))
    }
    guard parts[count - 1].to != factor else { return }
    var part = Part(key, at: frame, factor: factor)
    (part.length, part.from) = (Int64(length), self.factor(at: frame))
    append(part)
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
  }

  /// Forgets parts that end at `frame` or before.
  mutating func forget(before frame: StreamFrame) {
    var gone = 0
    while gone + 1 < count && parts[gone + 1].start <= frame { gone += 1 }
    guard gone > 0 else { return }
    for i in gone..<count { parts[i - gone] = parts[i] }
    count -= gone
  }

  mutating func removeAll() { count = 0 }

  /// Gives the content of all parts that begin at `first` or later the number *frame + delta*.
  mutating func shift(by delta: Int64, from first: StreamFrame = .min) {
    for i in 0..<count where parts[i].start >= first {
      parts[i].start += delta
      parts[i].since += delta
    }
  }

  /// Gives parts that begin behind `end` other timeline frames: what lay at *frame + offset* lies at *new frame + newOffset*.
  mutating func renumber(
    after end: StreamFrame, offset: StreamFrame, to newOffset: StreamFrame,
    _ renumbered: (TimelineFrame) -> TimelineFrame
  ) {
    for i in 0..<count where parts[i].start > end {
      let start = max(end, newOffset + renumbered(TimelineFrame(parts[i].start - offset)).number)
      parts[i].since += start - parts[i].start
      parts[i].start = start
    }
  }

  /// The factor of content whose key `isMeant` goes to `factor` within `length` frames from `frame` on, at
  /// once where that is nil; frames before it keep theirs.
  mutating func ramp(
    to factor: Float, at frame: StreamFrame?, length: Int, where isMeant: (ContentKey) -> Bool
  ) {
    guard let frame else {
      for i in 0..<count where isMeant(parts[i].key) {
        parts[i] = Part(parts[i].key, at: parts[i].start, factor: factor)
      }
      return
    }
    guard count > 0 else { return }
    let present = index(at: frame)
    var from: Float?
    if isMeant(parts[present].key) {
      from = self.factor(at: frame)
      if parts[present].start < frame { split(present, at: frame) }
    }
    for i in 0..<count where parts[i].start >= frame {
      guard isMeant(parts[i].key) else {
        from = nil
        continue
      }
      parts[i] = Part(parts[i].key, at: parts[i].start, factor: factor)
      if let from, parts[i].start < frame + length {
        (parts[i].since, parts[i].length, parts[i].from) = (frame, Int64(length), from)
      }
    }
  }

  /// The part's frames from `frame` on are a part of their own.
  private mutating func split(_ index: Int, at frame: StreamFrame) {
    append(parts[count - 1])
    var i = count - 1
    while i > index + 1 {
      parts[i] = parts[i - 1]
      i -= 1
    }
    parts[index + 1] = parts[index]
    parts[index + 1].start = frame
  }
}
