// SPDX-License-Identifier: Apache-2.0

/// A factor for each channel.
final class ChannelFactors: AudioEffectProcessor {
  // Owned: allocated here, freed in `deinit`.
  private let factors: UnsafeMutableBufferPointer<Float>
  private let isUnity: Bool

  init(_ factors: [Float]) {
    self.factors = .allocate(capacity: factors.count)
    _ = self.factors.initialize(from: factors)
    isUnity = factors.allSatisfy { $0 == 1 }
  }

  deinit { factors.deallocate() }

  func process(_ frames: UnsafeMutablePointer<Float>, frameCount: Int) {
    guard !isUnity else { return }
    let channels = factors.count
    for i in 0..<frameCount {
      for c in 0..<channels { frames[i &* channels &+ c] *= factors[c] }
    }
  }
}
