// SPDX-License-Identifier: Apache-2.0

import MediaTime
import SampleBuffers

/// Records what a converter emits and checks that indices follow each other.
struct Tape {
  let channelCount: Int
  private(set) var first: Int64?
  private(set) var samples: [Float] = []
  /// Frames that were missing before an emission, with the place; none in a contiguous playlist.
  private(set) var gaps: [(at: Int64, missing: Int64)] = []

  init(channelCount: Int) { self.channelCount = channelCount }

  /// Just after the last frame.
  var end: Int64 { (first ?? 0) + Int64(samples.count / channelCount) + gaps.map(\.missing).sum }

  mutating func record(_ frame: Int64, _ emitted: UnsafeBufferPointer<Float>) {
    if first == nil { first = frame }
    if frame != end { gaps.append((end, frame - end)) }
    samples.append(contentsOf: emitted)
  }
}

extension [Int64] {
  fileprivate var sum: Int64 { reduce(0, +) }
}

/// Converts whole playlists.
struct Playback {
  let converter: TimelineConverter
  var tape: Tape

  init(rate: Int, layout: ChannelLayout = .mono, quality: RateConverter.Quality = .veryHigh) {
    converter = TimelineConverter(
      output: AudioFormat(sampleRate: rate, layout: layout), quality: quality)
    tape = Tape(channelCount: layout.channelCount)
  }

  mutating func play(_ buffer: SampleBuffer) {
    converter.convert(buffer) { tape.record($0, $1) }
  }

  mutating func finish() {
    converter.finish { tape.record($0, $1) }
  }
}

extension SampleBuffer {
  /// A buffer of its own memory.
  init(
    _ samples: [Float], rate: Int, layout: ChannelLayout = .mono, time: RationalTime,
    trimAtStart: Int = 0, trimAtEnd: Int = 0
  ) {
    let storage = FrameStorage(capacity: samples.count)
    samples.withUnsafeBufferPointer { source in
      if let start = source.baseAddress {
        storage.samples.update(from: start, count: source.count)
      }
    }
    self.init(
      storage: storage, format: AudioFormat(sampleRate: rate, layout: layout),
      frameCount: samples.count / layout.channelCount, time: time, trimAtStart: trimAtStart,
      trimAtEnd: trimAtEnd)
  }
}
