// SPDX-License-Identifier: Apache-2.0

import Attacca
import Listening
import PulseAudio
import TestServers

/// A player on a sink of its own, of either kind, at which a listener hears when changes are heard;
/// nothing makes the sink's blocks smaller.
///
/// Everything that waits blocks its thread: use it `onOwnThread`.
struct ListenedPlayback: Sendable {
  let server: PrivateServer
  let sink: String
  let listener: ChangeListener
  let renderer: PulseAudioRenderer
  let player: SampleBufferPlayer
  let events: EventLog
  private let seat = Seat()

  init(
    _ server: PrivateServer, _ paths: [String] = [], rewinds: Bool,
    latency: Latency = .powerSaving, fade: Fade = .standard
  ) throws {
    self.server = server
    let sink = try server.makeSink(format: ChangeListener.format, rewinds: rewinds)
    self.sink = sink
    let listener = try ChangeListener(server, sink: sink)
    self.listener = listener
    seat.leave {
      listener.listener.close()
      do { try server.removeSink(sink) } catch { print("\(sink) stays: \(error)") }
    }
    renderer = try server.makeRenderer(on: sink, latency: latency)
    player = SampleBufferPlayer(renderer: renderer, fade: fade)
    events = EventLog(player.events)
    player.playlist.append(contentsOf: paths.map { PlaylistItem(path: $0) })
  }
}
