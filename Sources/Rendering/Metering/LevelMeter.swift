// SPDX-License-Identifier: Apache-2.0

import Glibc
import SampleBuffers

/// The levels of what is heard, made of a renderer's tap: peak, mean and held peak of each channel.
///
/// A value; whoever reads the tap updates it.
public struct LevelMeter: Sendable {
  /// The level of a channel, in decibels relative to full scale; `-.infinity` is silence.
  public struct Level: Sendable, Equatable {
    /// The largest magnitude; it falls by 20 dB in 1.7 s, as a peak meter of type I does (IEC 60268-10).
    public var peak = -Double.infinity
    /// The root mean square with a time constant of 300 ms; a sine of full scale has -3.01 dB.
    public var mean = -Double.infinity
    /// The largest peak of the last 1.5 s; it falls as `peak` does afterwards.
    public var hold = -Double.infinity

    /// Silence.
    public init() {}
  }

  /// A channel's state: magnitudes, and seconds for which the held peak stays.
  private struct Channel {
    var peak = 0.0
    var square = 0.0
    var hold = 0.0
    var stays = 0.0
  }

  private var channels: [Channel] = []

  /// Decibels a second.
  private static let fall = 20 / 1.7
  private static let timeConstant = 0.3  // seconds
  private static let holdTime = 1.5  // seconds

  /// A meter of silence.
  public init() {}

  /// A level for each channel of what was heard last.
  public var levels: [Level] {
    channels.map {
      var level = Level()
      level.peak = Self.decibels($0.peak)
      level.mean = Self.decibels($0.square.squareRoot())
      level.hold = Self.decibels($0.hold)
      return level
    }
  }

  private static func decibels(_ magnitude: Double) -> Double { 20 * log10(magnitude) }

  /// Takes in what has been heard, which lasts as long as it has frames.
  public mutating func update(_ audio: TappedAudio) {
    let count = audio.buffer.format.channelCount
    if channels.count != count { channels = Array(repeating: Channel(), count: count) }
    let frames = audio.buffer.frameCount
    guard frames > 0 else { return }
    let seconds = Double(frames) / Double(audio.buffer.format.sampleRate)
    audio.buffer.withFrames { samples in
      for channel in 0..<count {
        var (peak, sum) = (Float(0), 0.0)
        for i in stride(from: channel, to: frames * count, by: count) {
          let sample = samples[i]
          peak = max(peak, abs(sample))
          sum += Double(sample) * Double(sample)
        }
        take(channel, peak: Double(peak), square: sum / Double(frames), seconds: seconds)
      }
    }
  }

  /// Has the levels fall, as nothing has been heard for `seconds`.
  public mutating func fall(for seconds: Double) {
    for channel in channels.indices { take(channel, peak: 0, square: 0, seconds: seconds) }
  }

  private mutating func take(_ number: Int, peak: Double, square: Double, seconds: Double) {
    var channel = channels[number]
    let falls = pow(10, -Self.fall * seconds / 20)
    channel.peak = max(peak, channel.peak * falls)
    channel.square = square + (channel.square - square) * exp(-seconds / Self.timeConstant)
    channel.stays -= seconds
    if channel.peak >= channel.hold {
      (channel.hold, channel.stays) = (channel.peak, Self.holdTime)
    } else if channel.stays < 0 {
      channel.hold = max(channel.peak, channel.hold * pow(10, Self.fall * channel.stays / 20))
      channel.stays = 0
    }
    // Below what any format tells apart: silence.
    if channel.peak < 1e-9 { channel.peak = 0 }
    if channel.square < 1e-18 { channel.square = 0 }
    if channel.hold < 1e-9 { channel.hold = 0 }
    channels[number] = channel
  }
}
