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

  /// The layout that a file's own channel map gives, or `nil` where the map names a place that
  /// there is no speaker for, or one place twice.
  init?(sndfileMap map: [Int32]) {
    if map.count == 1 {
      self = .mono
      return
    }
    var speakers: [Speaker] = []
    for place in map {
      guard let speaker = Speaker(sndfile: place), !speakers.contains(speaker) else { return nil }
      speakers.append(speaker)
    }
    self.init(speakers)
  }
}

extension ChannelLayout.Speaker {
  /// libsndfile's `SF_CHANNEL_MAP_*`.
  private static let sndfilePlaces: [(Int, Self)] = [
    (SF_CHANNEL_MAP_MONO, .mono),
    (SF_CHANNEL_MAP_LEFT, .frontLeft), (SF_CHANNEL_MAP_FRONT_LEFT, .frontLeft),
    (SF_CHANNEL_MAP_RIGHT, .frontRight), (SF_CHANNEL_MAP_FRONT_RIGHT, .frontRight),
    (SF_CHANNEL_MAP_CENTER, .frontCenter), (SF_CHANNEL_MAP_FRONT_CENTER, .frontCenter),
    (SF_CHANNEL_MAP_LFE, .lowFrequency),
    (SF_CHANNEL_MAP_REAR_LEFT, .backLeft), (SF_CHANNEL_MAP_REAR_RIGHT, .backRight),
    (SF_CHANNEL_MAP_REAR_CENTER, .backCenter),
    (SF_CHANNEL_MAP_SIDE_LEFT, .sideLeft), (SF_CHANNEL_MAP_SIDE_RIGHT, .sideRight),
    (SF_CHANNEL_MAP_FRONT_LEFT_OF_CENTER, .frontLeftOfCenter),
    (SF_CHANNEL_MAP_FRONT_RIGHT_OF_CENTER, .frontRightOfCenter),
  ]

  init?(sndfile place: Int32) {
    guard let match = Self.sndfilePlaces.first(where: { $0.0 == Int(place) }) else { return nil }
    self = match.1
  }

  /// The place for a channel map to be written; libsndfile's writers know "left", not "front left".
  var sndfilePlace: Int32 {
    Int32(Self.sndfilePlaces.first { $0.1 == self }!.0)
  }
}
