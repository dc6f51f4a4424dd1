// SPDX-License-Identifier: Apache-2.0

import Attacca
import CFaults
@testable import PulseDevice
@testable import Rendering
import TestServers
import Testing

/// Another player of a scene's file, for which the scene's server can be made to be far away.
struct FarPlayer {
  let player: SampleBufferPlayer
  /// The output that it plays on.
  let output: PulseAudioOutput
  private let way: OpaquePointer

  /// Plays on `device`, which the server has to have; near until `delay` says otherwise, and until `stop()`.
  init(_ scene: FaultScene, on device: String = "a", latency: Latency = .responsive) throws {
    let path = scene.server.messageSocket
    guard let way = far_server_start("\(path)-far", path) else {
      throw Unmet("a socket at \(path)-far")
    }
    self.way = way
    do {
      let renderer = try PulseAudioRenderer(
        device: device, server: "unix:\(path)-far", latency: latency,
        applicationName: "attacca tests", mediaName: "far")
      output = try #require(renderer.output as? PulseAudioOutput)
      player = SampleBufferPlayer(renderer: renderer)
    } catch {
      far_server_stop(way)
      throw error
    }
    player.playlist.append(PlaylistItem(path: scene.player.playlist[0].path))
  }

  /// Milliseconds for which what the player says, and what the server says, is under way from now on.
  func delay(toServer: Int32, fromServer: Int32) {
    far_server_set_delay(way, toServer, fromServer)
  }

  /// Ends the connection that there is.
  func cut() { far_server_cut(way) }

  /// Ends the connection, and there is no other any more.
  func stop() { far_server_stop(way) }
}
