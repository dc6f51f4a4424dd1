// SPDX-License-Identifier: Apache-2.0
internal import CPulse
internal import SampleBuffers

extension AudioFormat {
  /// The format that frames of `spec` and `map` have here; `nil` beyond 8 channels.
  init?(_ spec: pa_sample_spec, _ map: pa_channel_map) {
    guard let layout = ChannelLayout(map), spec.rate >= 1, spec.rate <= Self.highestSampleRate
    else { return nil }
    self.init(sampleRate: Int(spec.rate), layout: layout)
  }

  /// This format as Float32 in PulseAudio's words; Swift runs on little-endian machines here.
  var sampleSpec: pa_sample_spec {
    pa_sample_spec(
      format: PA_SAMPLE_FLOAT32LE, rate: UInt32(sampleRate), channels: UInt8(channelCount))
  }
}

extension ChannelLayout {
  /// The speakers of `map`; the usual ones for its count where it names none of ours (PipeWire
  /// calls a pro-audio device's channels AUX), `nil` beyond 8 channels.
  init?(_ map: pa_channel_map) {
    guard (1...8).contains(map.channels) else { return nil }
    let speakers = map.positions.compactMap(Speaker.init)
    if speakers.count == Int(map.channels), Set(speakers).count == speakers.count {
      self.init(speakers)
    } else {
      self = .usual(channelCount: Int(map.channels))
    }
  }

  /// The same speakers in PulseAudio's words.
  var channelMap: pa_channel_map {
    var map = pa_channel_map()
    pa_channel_map_init(&map)
    map.channels = UInt8(channelCount)
    withUnsafeMutableBytes(of: &map.map) { bytes in
      let positions = bytes.bindMemory(to: pa_channel_position_t.self)
      for (i, speaker) in speakers.enumerated() { positions[i] = speaker.position }
    }
    return map
  }
}

extension pa_channel_map {
  fileprivate var positions: [pa_channel_position_t] {
    withUnsafeBytes(of: map) { bytes in
      Array(bytes.bindMemory(to: pa_channel_position_t.self).prefix(Int(channels)))
    }
  }
}

extension ChannelLayout.Speaker {
  fileprivate init?(_ position: pa_channel_position_t) {
    guard let speaker = Self.allCases.first(where: { $0.position == position }) else { return nil }
    self = speaker
  }

  fileprivate var position: pa_channel_position_t {
    switch self {
    case .mono: PA_CHANNEL_POSITION_MONO
    case .frontLeft: PA_CHANNEL_POSITION_FRONT_LEFT
    case .frontRight: PA_CHANNEL_POSITION_FRONT_RIGHT
    case .frontCenter: PA_CHANNEL_POSITION_FRONT_CENTER
    case .lowFrequency: PA_CHANNEL_POSITION_LFE
    case .backLeft: PA_CHANNEL_POSITION_REAR_LEFT
    case .backRight: PA_CHANNEL_POSITION_REAR_RIGHT
    case .backCenter: PA_CHANNEL_POSITION_REAR_CENTER
    case .sideLeft: PA_CHANNEL_POSITION_SIDE_LEFT
    case .sideRight: PA_CHANNEL_POSITION_SIDE_RIGHT
    case .frontLeftOfCenter: PA_CHANNEL_POSITION_FRONT_LEFT_OF_CENTER
    case .frontRightOfCenter: PA_CHANNEL_POSITION_FRONT_RIGHT_OF_CENTER
    }
  }
}
