// SPDX-License-Identifier: Apache-2.0

import Foundation
import PulseAudio
import TestServers

/// A playback stream as the server shows it to `pactl`.
struct SinkInput: Decodable {
  struct Volume: Decodable {
    let value: Int
  }

  let index: Int
  /// The index of the sink that it plays on.
  let sink: Int
  let corked: Bool
  let mute: Bool
  let volume: [String: Volume]
  let properties: [String: String]

  var isMuted: Bool { mute }
  /// Of the first channel, rounded.
  var percent: Int { ((volume.values.first?.value ?? 0) * 100 + 0x8000) / 0x10000 }

  /// Those of a playback, whose streams are named after its sink.
  static func all(of playback: ServerPlayback) throws -> [SinkInput] {
    let text = try playback.server.control(["-f", "json", "list", "sink-inputs"])
    return try JSONDecoder().decode([SinkInput].self, from: Data(text.utf8))
      .filter { $0.properties["media.name"] == playback.sink }
  }
}

extension ServerPlayback {
  /// Has the server move the stream to `sink`, as a user does, and returns once the stream is there.
  ///
  /// PipeWire forgets a move at times on a busy machine, and is asked again.
  func move(to sink: String) throws {
    let index = Int(try server.connect().sink(named: sink).index)
    for _ in 0..<5 {
      guard let input = try SinkInput.all(of: self).last else { throw Unmet("a stream to move") }
      try server.control(["move-sink-input", "\(input.index)", sink])
      // Each look takes 20 ms and more.
      for _ in 0..<20 where try SinkInput.all(of: self).contains(where: { $0.sink == index }) {
        return
      }
    }
    throw Unmet("the stream on \(sink)")
  }
}
