// SPDX-License-Identifier: Apache-2.0

import Attacca
import PulseAudio
import TestServers

extension PrivateServer {
  /// A renderer on a sink, whose stream has the sink's name: WirePlumber gives the next stream of a name the
  /// volume and mute of the last.
  func makeRenderer(on sink: String, latency: Latency) throws -> PulseAudioRenderer {
    try withDoor { address throws(PulseError) in
      try PulseAudioRenderer(
        device: sink, server: address, latency: latency, applicationName: "attacca tests \(sink)",
        mediaName: sink)
    }
  }
}
