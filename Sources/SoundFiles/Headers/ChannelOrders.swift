// SPDX-License-Identifier: Apache-2.0

import CSndFile
import SampleBuffers

extension ChannelLayout {
  /// The order that Vorbis I §4.3.9 fixes for 1 to 8 channels; Opus has the same (RFC 7845 §5.1.1.2).
  static func vorbis(channelCount: Int) -> ChannelLayout {
    switch channelCount {
    case 3: ChannelLayout([.frontLeft, .frontCenter, .frontRight])
    case 5: ChannelLayout([.frontLeft, .frontCenter, .frontRight, .backLeft, .backRight])
    case 6:
      ChannelLayout([
        .frontLeft, .frontCenter, .frontRight, .backLeft, .backRight, .lowFrequency,
      ])
    case 7:
      ChannelLayout([
        .frontLeft, .frontCenter, .frontRight, .sideLeft, .sideRight, .backCenter, .lowFrequency,
      ])
    case 8:
      ChannelLayout([
        .frontLeft, .frontCenter, .frontRight, .sideLeft, .sideRight, .backLeft, .backRight,
        .lowFrequency,
      ])
    default: usual(channelCount: channelCount)
    }
  }

  /// The speakers of a WAVE file's mask, from its lowest bit on.
  ///
  /// Bits beyond the channels are left out. `nil` where it has fewer bits, or one for a place that there is no speaker for.
  init?(waveMask mask: Int, channelCount: Int) {
    guard (1...8).contains(channelCount) else { return nil }
    let bits = (0..<18).filter { mask >> $0 & 1 == 1 }.prefix(channelCount)
    guard bits.count == channelCount else { return nil }
    if channelCount == 1 {
      self = .mono
      return
    }
    let speakers: [Speaker] = [
      .frontLeft, .frontRight, .frontCenter, .lowFrequency, .backLeft, .backRight,
      .frontLeftOfCenter, .frontRightOfCenter, .backCenter, .sideLeft, .sideRight,
    ]
    guard bits.allSatisfy(speakers.indices.contains) else { return nil }
    self.init(bits.map { speakers[$0] })
  }
}

extension ChannelLayout.Speaker {
  /// The place for a channel map to be written, one of `SF_CHANNEL_MAP_*`; libsndfile's writers know
  /// "left", not "front left".
  var sndfilePlace: Int32 {
    let place =
      switch self {
      case .mono: SF_CHANNEL_MAP_MONO
      case .frontLeft: SF_CHANNEL_MAP_LEFT
      case .frontRight: SF_CHANNEL_MAP_RIGHT
      case .frontCenter: SF_CHANNEL_MAP_CENTER
      case .lowFrequency: SF_CHANNEL_MAP_LFE
      case .backLeft: SF_CHANNEL_MAP_REAR_LEFT
      case .backRight: SF_CHANNEL_MAP_REAR_RIGHT
      case .backCenter: SF_CHANNEL_MAP_REAR_CENTER
      case .sideLeft: SF_CHANNEL_MAP_SIDE_LEFT
      case .sideRight: SF_CHANNEL_MAP_SIDE_RIGHT
      case .frontLeftOfCenter: SF_CHANNEL_MAP_FRONT_LEFT_OF_CENTER
      case .frontRightOfCenter: SF_CHANNEL_MAP_FRONT_RIGHT_OF_CENTER
      }
    return Int32(place)
  }
}
