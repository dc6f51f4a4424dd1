// SPDX-License-Identifier: Apache-2.0

import MediaTime
import Rendering
import SampleBuffers

/// Gains of the items of a rendering, for the frames that come out of its converter.
struct BounceGains: ~Copyable {
  private let format: AudioFormat
  private var gains = ContentGains()
  private var memory: [Float] = []
  private var items = 0
  /// Decibels of the item that was begun last.
  private var gain: Float = 0
  /// The item that was begun last, and when its first frame was heard, or would have been.
  private var item: (item: PlaylistItem, start: RationalTime)?
  /// The place in it from which on the next one is mixed in; nil for none, and once that is heard.
  private var exit: RationalTime?

  init(format: AudioFormat) { self.format = format }

  /// Frames from `time` on are those of `item`, louder by `gain` dB, which are in them where it overlaps others.
  mutating func begin(
    _ item: PlaylistItem, gain: Float, at time: RationalTime,
    _ overlaps: (entry: Overlap?, exit: Overlap?)
  ) {
    items += 1
    self.gain = gain
    var start = time
    if let entry = overlaps.entry {
      start = time - entry.entering.duration
      begin(nil, at: time, from: start)
      let end = entry.duration.frames(at: entry.entering.rate)
      begin(item, at: start + RationalTime(frames: end, rate: entry.entering.rate), from: start)
    } else {
      begin(item, at: time, from: start)
    }
    self.item = (item, start)
    exit = overlaps.exit.map {
      RationalTime(frames: $0.begin.frames(at: $0.leaving.rate), rate: $0.leaving.rate)
    }
  }

  /// The frames from `time` on are those of the item from `place` to `end`: what lies between them and those before is
  /// left out.
  mutating func go(on time: RationalTime, from place: RationalTime, to end: RationalTime) {
    guard let item else { return }
    if time - place != item.start {
      self.item = (item.item, time - place)
      begin(item.item, at: time, from: time - place)
    }
    guard let exit, exit < end else { return }
    begin(nil, at: time + exit - place, from: time - place)
    self.exit = nil
  }

  private mutating func begin(
    _ item: PlaylistItem?, at time: RationalTime, from start: RationalTime
  ) {
    gains.begin(
      ContentGain(
        key: item.map { ContentKey(item: $0.id.number, pass: items) } ?? .none,
        media: time.timelineFrame(at: format.sampleRate),
        factor: Decibels.factor(item == nil ? 0 : gain),
        volume: item.flatMap { VolumeCurve($0.volumeAutomation) }, zero: start),
      at: StreamFrame(time.frames(at: format.sampleRate)), offset: 0, rate: format.sampleRate,
      isReversed: false, length: 0)
  }

  /// Hands interleaved samples on, the first of which is of frame `first`, as loud as they are to be.
  mutating func apply(
    to samples: UnsafeBufferPointer<Float>, at first: StreamFrame,
    _ body: (UnsafeBufferPointer<Float>) -> Void
  ) {
    gains.forget(before: first)
    guard !gains.isUnity else { return body(samples) }
    memory.removeAll(keepingCapacity: true)
    memory.append(contentsOf: samples)
    gains.multiply(&memory, channelCount: format.channelCount, from: first)
    memory.withUnsafeBufferPointer(body)
  }
}
