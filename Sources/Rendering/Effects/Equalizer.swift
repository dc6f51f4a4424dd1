// SPDX-License-Identifier: Apache-2.0

import SampleBuffers

/// Biquads one behind the other, for frames of any number of channels.
///
/// In direct form 1, which keeps what went in and came out: nothing else is rounded.
final class Equalizer: AudioEffectProcessor {
  /// The last two samples that went into a filter and came out.
  private struct State {
    var (x1, x2, y1, y2) = (0.0, 0.0, 0.0, 0.0)
  }

  let tail: Int
  private let filters: UnsafeMutableBufferPointer<Biquad>
  // Of each channel, filter after filter. Owned as `filters`: freed in `deinit`.
  private let states: UnsafeMutableBufferPointer<State>
  private let channelCount: Int

  /// Portion of its beginning at which a sound has died away: 100 dB, and what a filter is louder at first.
  private static let silence = 1e-6
  /// Seconds in which it has died away at most.
  private static let mostTail = 1
  /// Numbers below are 0: the processor needs a hundred times as long for those below 1e-307.
  private static let least = 1e-30

  init(_ filters: [Biquad], format: AudioFormat) {
    channelCount = format.channelCount
    self.filters = .allocate(capacity: filters.count)
    _ = self.filters.initialize(from: filters)
    states = .allocate(capacity: filters.count * format.channelCount)
    states.initialize(repeating: State())
    let decay = filters.reduce(0) { $0 + $1.decay(to: Self.silence) }
    tail = min(decay, Self.mostTail * format.sampleRate)
  }

  deinit {
    filters.deallocate()
    states.deallocate()
  }

  /// As long as it takes to die away: then it matters no more what was before.
  var history: Int { tail }

  func process(_ frames: UnsafeMutablePointer<Float>, frameCount: Int) {
    let (channels, count) = (channelCount, filters.count)
    guard count > 0 else { return }
    for c in 0..<channels {
      for i in 0..<frameCount {
        var sample = Double(frames[i &* channels &+ c])
        for f in 0..<count { sample = step(sample, filters[f], &states[c &* count &+ f]) }
        frames[i &* channels &+ c] = Float(sample)
      }
    }
    for i in states.indices { settle(&states[i]) }
  }

  @inline(__always)
  private func step(_ x: Double, _ filter: Biquad, _ state: inout State) -> Double {
    let y =
      filter.b.0 * x + filter.b.1 * state.x1 + filter.b.2 * state.x2 - filter.a.0 * state.y1
      - filter.a.1 * state.y2
    (state.x2, state.x1, state.y2, state.y1) = (state.x1, x, state.y1, y)
    return y
  }

  private func settle(_ state: inout State) {
    // What is no number would stay for ever.
    if !(abs(state.y1) >= Self.least) || !state.y1.isFinite { state.y1 = 0 }
    if !(abs(state.y2) >= Self.least) || !state.y2.isFinite { state.y2 = 0 }
    if !state.x1.isFinite { state.x1 = 0 }
    if !state.x2.isFinite { state.x2 = 0 }
  }
}
