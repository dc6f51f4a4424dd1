// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestServers

/// A playback stream as the server shows it to `pactl`.
struct SinkInput: Decodable {
  struct Volume: Decodable {
    let value: Int
  }

  let index: Int
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
