// SPDX-License-Identifier: Apache-2.0

import Preconditions
import CSonic
import SampleBuffers

/// Leaves out periods of the pitch, or repeats them, as libsonic does.
///
/// Samples are 16 bits in there, one of them for what is beyond full scale: -90 dB of noise.
final class SonicStretcher: TimeStretcher, @unchecked Sendable {
  // @unchecked: used by one thread at a time, as its protocol says.
  private let stream: sonicStream
  private let channelCount: Int
  private let up: RateConverter?
  private let down: RateConverter?
  private let scratch: UnsafeMutablePointer<Float>
  private static let scratchFrames = 2_048
  /// Speed at which sound is played three times as fast: periods are whole frames, and at 48 kHz the rounding of a
  /// tone of 440 Hz was heard as 3 cents (0 at 96 kHz).
  private static let fast = 2.0
  /// After so many frames, fewer than a period has, it is looked where libsonic is: always the same
  /// ones, whatever the pieces that come, or a bounce would differ from what is played.
  private static let pieceFrames = 64
  /// Of the samples in libsonic.
  private static let headroom: Float = 0.5

  private let speed: Double
  /// Frames that libsonic has before it works on the first of them: two of its longest periods.
  private let lookahead: Int
  /// Frames that it may be off by; where it is off by more, it makes that good in `horizon`.
  private let tolerance: Double
  private let horizon: Double
  /// Frames that libsonic was given and made so far.
  private var given = 0
  private var made = 0
  private var taken = 0

  let withheldFrames: Int

  /// Plays frames of `format` `speed` times as fast.
  init(speed: Double, format: AudioFormat) {
    channelCount = format.channelCount
    let rate = format.sampleRate
    let isFine = speed > Self.fast && rate < 88_200
    let inner = isFine ? 2 * rate : rate
    guard let stream = sonicCreateStream(Int32(inner), Int32(channelCount)) else {
      // Valid arguments leave one cause, out of memory, which traps elsewhere in Swift too.
      trap("sonicCreateStream")
    }
    self.stream = stream
    self.speed = speed
    lookahead = 2 * (inner / 65)
    (tolerance, horizon) = (Double(inner) / 2_000, Double(inner) / 4)
    sonicSetSpeed(stream, Float(speed))
    // Pitch is looked for at the full rate: at 4 kHz, the default, 440 Hz were off by 4 cents.
    sonicSetQuality(stream, 1)
    up = isFine ? Self.converter(from: rate, to: inner, channelCount) : nil
    down = isFine ? Self.converter(from: inner, to: rate, channelCount) : nil
    scratch = .allocate(capacity: Self.scratchFrames * channelCount)
    // Two of its longest periods, of 65 Hz, and what the converters hold back.
    withheldFrames = Int(Double(3 * rate / 65) / min(1, speed)) + (isFine ? 1_024 : 0)
  }

  deinit {
    sonicDestroyStream(stream)
    scratch.deallocate()
  }

  private static func converter(from: Int, to: Int, _ channelCount: Int) -> RateConverter {
    RateConverter(from: from, to: to, channelCount: channelCount, quality: .high)
  }

  func push(_ frames: UnsafePointer<Float>, frameCount: Int) {
    guard let up else { return write(frames, frameCount: frameCount) }
    up.push(frames, frameCount: frameCount)
    writeConverted(by: up)
  }

  func end() {
    if let up {
      up.end()
      writeConverted(by: up)
    }
    sonicFlushStream(stream)
    if let down {
      convertDown(by: down)
      down.end()
    }
  }

  private func writeConverted(by up: RateConverter) {
    // Half of it: `write` has its samples in the other half.
    let half = Self.scratchFrames / 2
    let frames = scratch + half * channelCount
    while case let count = up.pull(into: frames, frameCount: half), count > 0 {
      write(frames, frameCount: count)
    }
  }

  private func write(_ frames: UnsafePointer<Float>, frameCount: Int) {
    var done = 0
    while done < frameCount {
      let count = min(Self.pieceFrames - given % Self.pieceFrames, frameCount - done)
      let source = frames + done * channelCount
      for i in 0..<(count * channelCount) {
        scratch[i] = min(1, max(-1, source[i] * Self.headroom))
      }
      sonicWriteFloatToStream(stream, scratch, Int32(count))
      done += count
      given += count
      if given % Self.pieceFrames == 0 { keepPlace() }
    }
  }

  /// libsonic makes whole frames of each period, and forgets the rest: at 3 times the speed 25 ms of
  /// media time in a minute.
  ///
  /// It makes something as soon as it has been given its lookahead: where it was before is known then.
  private func keepPlace() {
    let before = made
    made = taken + Int(sonicSamplesAvailable(stream))
    guard made > before else { return }
    let ahead = Double(before) - Double(given - Self.pieceFrames / 2 - lookahead) / speed
    // Near the natural speed a little is much.
    let most = 0.1 * abs(speed - 1) / speed
    let more = abs(ahead) > tolerance ? min(most, max(-most, ahead / horizon)) : 0
    sonicSetSpeed(stream, Float(speed * (1 + more)))
  }

  func pull(into frames: UnsafeMutablePointer<Float>, frameCount: Int) -> Int {
    guard let down else { return read(into: frames, frameCount: frameCount) }
    convertDown(by: down)
    return down.pull(into: frames, frameCount: frameCount)
  }

  private func convertDown(by down: RateConverter) {
    while case let count = read(into: scratch, frameCount: Self.scratchFrames), count > 0 {
      down.push(scratch, frameCount: count)
    }
  }

  private func read(into frames: UnsafeMutablePointer<Float>, frameCount: Int) -> Int {
    let count = Int(sonicReadFloatFromStream(stream, frames, Int32(frameCount)))
    taken += count
    for i in 0..<(count * channelCount) { frames[i] /= Self.headroom }
    return count
  }
}

extension AudioTimePitchAlgorithm {
  /// Keeps the pitch by leaving out whole periods of it, or repeating them: for speech, and cheap;
  /// from 1/4 to 4.
  ///
  /// libsonic's (Apache 2.0): a position is off by up to 4 ms, and a tone of 440 Hz by a cent.
  public static let timeDomain = AudioTimePitchAlgorithm(
    name: "time domain", rates: 0.25...4
  ) { SonicStretcher(speed: $0, format: $1) }
}
