// SPDX-License-Identifier: Apache-2.0

/// Gains that keep every sample at a ceiling, found out some frames ahead.
///
/// The gain that each frame needs is held down over the frames before it, comes up again by a step a frame, and
/// is the mean of as many frames: each of them is as low as the frame needs by the time it comes out. Gains are
/// whole numbers of 2^-30, rounded down, so that a sum of thousands is exact, and 1 is 1 again.
final class Limiter: AudioEffectProcessor {
  let latency: Int
  let history: Int
  private let ceiling: Float
  private let channelCount: Int
  /// Frames that a gain is held down and averaged over: the look-ahead, and the frame itself.
  private let window: Int
  /// Amount that the gain comes up by in a frame.
  private let step: Int
  // Rings of `window` places each. Owned: allocated here, freed in `deinit`.
  private let delayed: UnsafeMutablePointer<Float>
  private let held: UnsafeMutablePointer<Int>
  /// Gains that are the lowest from their frame on, ascending, with the number of that frame.
  private let lowest: UnsafeMutablePointer<(gain: Int, frame: Int)>
  private var (firstLowest, lowestCount) = (0, 0)
  /// Frames that went in.
  private var frame = 0
  private var place = 0
  private var gain = Limiter.unity
  private var sum: Int

  private static let unity = 1 << 30

  /// A limiter that delays by `lookAhead` frames, and whose gain would take `release` frames from 0 to 1.
  init(ceiling: Float, lookAhead: Int, release: Int, channelCount: Int) {
    (self.ceiling, self.channelCount) = (ceiling, channelCount)
    (latency, window) = (lookAhead, lookAhead + 1)
    step = max(1, Self.unity / release)
    // A gain from before that has come up again, and has left both windows.
    history = Self.unity / step + 1 + 2 * window
    delayed = .allocate(capacity: window * channelCount)
    delayed.initialize(repeating: 0, count: window * channelCount)
    held = .allocate(capacity: window)
    held.initialize(repeating: Self.unity, count: window)
    lowest = .allocate(capacity: window + 1)
    lowest.initialize(repeating: (Self.unity, 0), count: window + 1)
    sum = window * Self.unity
  }

  deinit {
    delayed.deallocate()
    held.deallocate()
    lowest.deallocate()
  }

  func process(_ frames: UnsafeMutablePointer<Float>, frameCount: Int) {
    let channels = channelCount
    for i in 0..<frameCount {
      let samples = frames + i &* channels
      let factor = factor(taking: samples)
      let memory = delayed + place &* channels
      // The oldest frame is the next place's.
      for c in 0..<channels { memory[c] = samples[c] }
      place = place &+ 1 == window ? 0 : place &+ 1
      let oldest = delayed + place &* channels
      for c in 0..<channels {
        samples[c] = factor == 1 ? oldest[c] : limited(oldest[c] * factor)
      }
    }
  }

  /// The factor of the frame that comes out as `samples` go in.
  private func factor(taking samples: UnsafePointer<Float>) -> Float {
    var peak: Float = 0
    for c in 0..<channelCount { peak = max(peak, abs(samples[c])) }
    let needed =
      peak <= ceiling ? Self.unity : Int(Double(ceiling) / Double(peak) * Double(Self.unity))
    gain = min(lowestGain(with: needed), gain &+ step)
    sum = sum &+ gain &- held[place]
    held[place] = gain
    let whole = window &* Self.unity
    return sum == whole ? 1 : Float(Double(sum) / Double(whole))
  }

  /// The lowest gain that the last `window` frames need, the one that needs `gain` among them.
  private func lowestGain(with gain: Int) -> Int {
    let capacity = window &+ 1
    if lowestCount > 0, lowest[firstLowest].frame &+ window <= frame {
      firstLowest = firstLowest &+ 1 == capacity ? 0 : firstLowest &+ 1
      lowestCount &-= 1
    }
    while lowestCount > 0 {
      var last = firstLowest &+ lowestCount &- 1
      if last >= capacity { last &-= capacity }
      guard lowest[last].gain >= gain else { break }
      lowestCount &-= 1
    }
    var next = firstLowest &+ lowestCount
    if next >= capacity { next &-= capacity }
    lowest[next] = (gain, frame)
    lowestCount &+= 1
    frame &+= 1
    return lowest[firstLowest].gain
  }

  /// `sample`, the product of a sample and its factor, without what rounding has added.
  private func limited(_ sample: Float) -> Float {
    if abs(sample) <= ceiling { return sample }
    return sample > 0 ? ceiling : sample < 0 ? -ceiling : 0
  }
}
