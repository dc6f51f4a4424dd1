// SPDX-License-Identifier: Apache-2.0

import Preconditions

/// Speakers of a frame's channels, in order; 1 to 8 channels.
///
/// Eight bytes and a count, without references: it crosses to the render path as it is.
public struct ChannelLayout: Hashable, Sendable {
  /// A loudspeaker's place.
  ///
  /// Raw values are stable within a process only.
  public enum Speaker: UInt8, Hashable, Sendable, CaseIterable {
    case mono = 1
    case frontLeft, frontRight, frontCenter, lowFrequency
    case backLeft, backRight, backCenter
    case sideLeft, sideRight
    case frontLeftOfCenter, frontRightOfCenter
  }

  private let packed: UInt64
  /// Channels per frame, 1...8.
  public let channelCount: Int

  /// - Precondition: 1 to 8 speakers.
  public init(_ speakers: [Speaker]) {
    require((1...8).contains(speakers.count), "1 to 8 channels, not \(speakers.count)")
    var packed: UInt64 = 0
    for (i, speaker) in speakers.enumerated() { packed |= UInt64(speaker.rawValue) << (8 * i) }
    (self.packed, channelCount) = (packed, speakers.count)
  }

  /// The speaker that channel `i` is for.
  public subscript(i: Int) -> Speaker {
    require(i >= 0 && i < channelCount, "channel \(i); 0..<\(channelCount) are there")
    return Speaker(rawValue: UInt8(truncatingIfNeeded: packed >> (8 * i)))!
  }

  /// The speakers in channel order.
  public var speakers: [Speaker] { (0..<channelCount).map { self[$0] } }

  /// The channel for `speaker`, or `nil` where the layout has none.
  public func firstIndex(of speaker: Speaker) -> Int? {
    (0..<channelCount).first { self[$0] == speaker }
  }

  /// One channel.
  public static let mono = ChannelLayout([.mono])
  /// Left, right.
  public static let stereo = ChannelLayout([.frontLeft, .frontRight])
  /// 3.0: left, right, centre.
  public static let surround30 = ChannelLayout([.frontLeft, .frontRight, .frontCenter])
  /// 4.0: left, right, back left, back right.
  public static let quad = ChannelLayout([.frontLeft, .frontRight, .backLeft, .backRight])
  /// 5.0 in WAVE order.
  public static let surround50 = ChannelLayout([
    .frontLeft, .frontRight, .frontCenter, .backLeft, .backRight,
  ])
  /// 5.1 in WAVE order.
  public static let surround51 = ChannelLayout([
    .frontLeft, .frontRight, .frontCenter, .lowFrequency, .backLeft, .backRight,
  ])
  /// 6.1 in WAVE order.
  public static let surround61 = ChannelLayout([
    .frontLeft, .frontRight, .frontCenter, .lowFrequency, .backCenter, .sideLeft, .sideRight,
  ])
  /// 7.1 in WAVE order.
  public static let surround71 = ChannelLayout([
    .frontLeft, .frontRight, .frontCenter, .lowFrequency, .backLeft, .backRight, .sideLeft,
    .sideRight,
  ])

  /// The usual layout of `channelCount` channels in WAVE order, 1...8.
  public static func usual(channelCount: Int) -> ChannelLayout {
    let usual = [
      mono, stereo, surround30, quad, surround50, surround51, surround61, surround71,
    ]
    require(usual.indices.contains(channelCount - 1), "1 to 8 channels, not \(channelCount)")
    return usual[channelCount - 1]
  }
}
