// SPDX-License-Identifier: Apache-2.0

import Glibc
import MediaTime
import SampleBuffers
import Testing

/// A part of a signal as a mono file would hold it: Float32 frames from an exact time on.
struct Excerpt {
  let rate: Int
  let start: RationalTime
  let samples: [Float]

  init(of signal: Signal, from start: RationalTime, count: Int, rate: Int) {
    (self.rate, self.start) = (rate, start)
    let first = start.frames(at: rate)
    let offset = start.phase(at: rate) / Double(rate)
    samples = signal.values(from: first, count: count, rate: rate, offset: offset).map(Float.init)
  }

  var end: RationalTime { start + RationalTime(frames: Int64(samples.count), rate: rate) }

  /// Frames `range`, as a buffer at their own time.
  func buffer(_ range: Range<Int>, history: Int = 0) -> SampleBuffer {
    SampleBuffer(
      Array(samples[(range.lowerBound - history)..<range.upperBound]), rate: rate,
      time: start + RationalTime(frames: Int64(range.lowerBound), rate: rate),
      trimAtStart: history)
  }

  /// All frames in buffers of the sizes that `size` gives.
  func buffers(of size: () -> Int) -> [SampleBuffer] {
    var buffers: [SampleBuffer] = []
    var first = 0
    while first < samples.count {
      let next = min(first + size(), samples.count)
      buffers.append(buffer(first..<next))
      first = next
    }
    return buffers
  }
}

/// Excerpts of `signal` after each other, from time zero on.
func playlist(of signal: Signal, _ items: [(frames: Int, rate: Int)]) -> [Excerpt] {
  var excerpts: [Excerpt] = []
  for item in items {
    excerpts.append(
      Excerpt(
        of: signal, from: excerpts.last?.end ?? .zero, count: item.frames, rate: item.rate))
  }
  return excerpts
}

/// What a converter makes of `buffers`; frames in one piece, or an issue is recorded.
func converted(
  _ buffers: [SampleBuffer], to rate: Int, layout: ChannelLayout = .mono,
  quality: RateConverter.Quality = .veryHigh
) -> [Float] {
  var playback = Playback(rate: rate, layout: layout, quality: quality)
  for buffer in buffers { playback.play(buffer) }
  playback.finish()
  #expect(playback.tape.gaps.isEmpty)
  return playback.tape.samples
}

/// The first index at which two recordings differ by as much as a bit; nil where they are equal.
func firstDifference(_ a: [Float], _ b: [Float]) -> Int? {
  for i in 0..<min(a.count, b.count) where a[i].bitPattern != b[i].bitPattern { return i }
  return a.count == b.count ? nil : min(a.count, b.count)
}

/// The largest difference in `range`, in decibels of full scale.
func deviation(_ heard: [Float], _ ideal: [Double], in range: Range<Int>) -> Double {
  var largest = 0.0
  for i in range { largest = max(largest, abs(Double(heard[i]) - ideal[i])) }
  return 20 * log10(max(largest, 1e-30))
}
