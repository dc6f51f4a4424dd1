// SPDX-License-Identifier: Apache-2.0

import Attacca
@testable import Rendering

/// Leaves the sound alone.
struct IdentityEffect: AudioEffect {
  /// Told as its history.
  var history = 0

  private final class Processor: AudioEffectProcessor {
    let history: Int
    init(history: Int) { self.history = history }
    func process(_ frames: UnsafeMutablePointer<Float>, frameCount: Int) {}
  }

  func makeProcessor(
    for format: AudioFormat, maximumFrames: Int
  ) -> any AudioEffectProcessor { Processor(history: history) }
}

/// Delays the sound by `latency` frames, which it tells.
struct DelayEffect: AudioEffect {
  var latency: Int

  private final class Processor: AudioEffectProcessor {
    let latency: Int
    private let channels: Int
    private var line: [Float]
    private var place = 0

    init(latency: Int, channels: Int) {
      (self.latency, self.channels) = (latency, channels)
      line = [Float](repeating: 0, count: latency * channels)
    }

    func process(_ frames: UnsafeMutablePointer<Float>, frameCount: Int) {
      var i = 0
      while i < frameCount * channels {
        (line[place], frames[i]) = (frames[i], line[place])
        place = place + 1 == line.count ? 0 : place + 1
        i += 1
      }
    }
  }

  func makeProcessor(
    for format: AudioFormat, maximumFrames: Int
  ) -> any AudioEffectProcessor { Processor(latency: latency, channels: format.channelCount) }
}

/// Adds half of the sound `tail` frames later.
struct EchoEffect: AudioEffect {
  var tail: Int
  var factor: Float = 0.5

  private final class Processor: AudioEffectProcessor {
    let tail: Int
    let factor: Float
    private let channels: Int
    private var line: [Float]
    private var place = 0

    init(_ effect: EchoEffect, channels: Int) {
      (tail, factor, self.channels) = (effect.tail, effect.factor, channels)
      line = [Float](repeating: 0, count: tail * channels)
    }

    var history: Int { tail }

    func process(_ frames: UnsafeMutablePointer<Float>, frameCount: Int) {
      for i in 0..<(frameCount * channels) {
        let past = line[place]
        line[place] = frames[i]
        frames[i] += factor * past
        place = place + 1 == line.count ? 0 : place + 1
      }
    }
  }

  func makeProcessor(
    for format: AudioFormat, maximumFrames: Int
  ) -> any AudioEffectProcessor { Processor(self, channels: format.channelCount) }
}
