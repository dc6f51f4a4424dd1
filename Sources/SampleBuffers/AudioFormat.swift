// SPDX-License-Identifier: Apache-2.0

import Preconditions

/// The format of frames: interleaved Float32 at a rate, for a layout of speakers.
///
/// Nominal range of a sample is -1...1; lossy decoders exceed it and nothing inside clips.
public struct AudioFormat: Hashable, Sendable {
  /// Frames per second, 1...`AudioFormat.highestSampleRate`.
  public let sampleRate: Int
  /// The speakers, one a channel.
  public let layout: ChannelLayout

  /// The highest rate, 16 times 48 kHz.
  ///
  /// PulseAudio's `PA_RATE_MAX`. Files above are refused before anything is allocated.
  public static let highestSampleRate = 768_000

  /// The lowest rate of a file, and of a buffer for a renderer of a higher rate.
  ///
  /// Telephones use 8,000 Hz; below half of that a header is wrong rather than frugal.
  public static let lowestSourceRate = 4_000

  /// The lowest rate that is rendered at, on a device or into a file.
  ///
  /// A filter is as long as the ratio of the rates says: from the highest rate, at 32 times the speed,
  /// down to this one it takes 130 MB, and down to 1 Hz it would never end.
  public static let lowestOutputRate = 1_000

  /// - Precondition: `sampleRate` is in 1...`highestSampleRate`.
  public init(sampleRate: Int, layout: ChannelLayout) {
    require(
      (1...Self.highestSampleRate).contains(sampleRate),
      "a sample rate of \(sampleRate) Hz; 1...\(Self.highestSampleRate) are permitted")
    (self.sampleRate, self.layout) = (sampleRate, layout)
  }

  /// A format of `channelCount` channels for the speakers that are usual for so many, in WAVE order.
  ///
  /// - Precondition: `sampleRate` is in 1...`highestSampleRate`, `channelCount` in 1...8.
  public init(sampleRate: Int, channelCount: Int) {
    self.init(sampleRate: sampleRate, layout: .usual(channelCount: channelCount))
  }

  /// Frames that are played at another rate than they are made for, at up to 1/32 of the speed: their
  /// rate may be as many times the highest.
  package init(timelineRate: Int, layout: ChannelLayout) {
    require(
      (1...(32 * Self.highestSampleRate)).contains(timelineRate),
      "a rate of \(timelineRate) Hz; 1...\(32 * Self.highestSampleRate) are permitted")
    (sampleRate, self.layout) = (timelineRate, layout)
  }

  /// Channels per frame, 1...8.
  public var channelCount: Int { layout.channelCount }
  /// Bytes per frame: four a channel.
  public var bytesPerFrame: Int { channelCount * MemoryLayout<Float>.stride }
}

extension AudioFormat: CustomStringConvertible {
  /// The format in words, as in "48000 Hz, 2 channels".
  public var description: String {
    "\(sampleRate) Hz, \(channelCount) channel\(channelCount == 1 ? "" : "s")"
  }
}
