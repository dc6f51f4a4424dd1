// SPDX-License-Identifier: Apache-2.0

import SampleBuffers

/// The properties with which streams are opened.
struct StreamRequest {
  let server: String?
  /// The sink's name; nil for the user's default.
  var device: String?
  let latency: Latency
  let applicationName: String
  var mediaName: String
  /// The server's volume of the stream, 1 for unchanged, which the next stream gets too.
  var volume: Float = 1
  /// True where the server mutes the stream, as it does the next one.
  var isMuted = false
}
