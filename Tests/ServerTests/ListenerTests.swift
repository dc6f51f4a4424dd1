// SPDX-License-Identifier: Apache-2.0

import Attacca
import Listening
import PulseAudio
import TestServers
import Testing

/// The instrument that other tests and `attacca bench latency` measure with.
@Suite struct ListenerTests {
  /// Whether sinks rewind.
  private static let kinds = TestedServer.isPipeWire ? [false] : [false, true]

  /// Runs `body` with a listener at a sink of its own, on a thread of its own.
  private func listening(
    rewinds: Bool,
    _ body: @escaping @Sendable (PrivateServer, String, ChangeListener) throws -> Void
  ) async throws {
    try await onOwnThread {
      let server = try TestedServer.shared
      let sink = try server.makeSink(format: ChangeListener.format, rewinds: rewinds)
      let listener = try ChangeListener(server, sink: sink)
      defer { listener.listener.close() }
      try body(server, sink, listener)
    }
  }

  @Test(arguments: kinds)
  func `a stream that is rewritten at a known index is told at exactly that distance`(
    rewinds: Bool
  ) async throws {
    try await listening(rewinds: rewinds) { server, sink, listener in
      let ramp = try RampStream(server, sink: sink)
      defer { ramp.stream.close() }
      // What the ramp began with has been heard by then.
      var end = try listener.listener.moment().number + 144_000
      var distances: Set<Int> = []
      for last in [4_800, 1_000, 30_000] {
        // Frames that a recorder missed are NaN: on a busy machine PipeWire gave none for 250 ms.
        var frames = try listener.recording(end..<end + 12_000)
        for _ in 0..<20 where !frames.contains(where: { !$0.isNaN }) {
          end += 12_000
          frames = try listener.recording(end..<end + 12_000)
        }
        let known = try #require((0..<12_000).first { !frames[2 * $0].isNaN })
        let number = try #require(RampStream.number(of: frames[2 * known]))
        let before = end + known
        distances.insert(before - number)
        var turned = 0
        let moment = try listener.call { turned = try ramp.turn(last: last) }
        let change = try listener.change(after: moment, within: 2 * 96_000) {
          $0.sign == $1.sign && RampStream.follows($0, $1)
        }
        #expect(change == turned + before - number, "\(last) frames before the end, from \(moment)")
        let around = try listener.recording(change - 1..<change + 1)
        #expect(RampStream.follows(around[0], around[2]) && around[0].sign != around[2].sign)
        end = change + 1_000
      }
      // Whatever was rewritten, both streams kept their places.
      #expect(distances.count == 1)
    }
  }

  @Test(.enabled(if: !TestedServer.isPipeWire), arguments: kinds)
  func `the frame that is heard at a moment is the one that the server says of another stream`(
    rewinds: Bool
  ) async throws {
    try await listening(rewinds: rewinds) { server, sink, listener in
      let other = try ReferenceStream(
        connection: server.connect(), sink: sink, channel: 0, block: SinkListener.longestBlock)
      defer { other.close() }
      let begin = try listener.listener.moment().number + 144_000
      let sample = try listener.recording(begin..<begin + 1)[0]
      let distance = begin - (try #require(RampStream.number(of: sample)))
      var (errors, origins): ([Int], [(Int, Int)]) = ([], [])
      for _ in 0..<20 {
        let (a, b) = (try listener.listener.moment(), try other.moment())
        errors.append(abs(a.number(at: b.hostTime) - distance - b.number))
        origins.append((a.origin, b.origin))
      }
      // Half a frame is rounded at either stream; the rest is when the server looks at its clock.
      let moved = origins.map { "\($0.0 - origins[0].0) \($0.1 - origins[0].1)" }
      #expect(errors.sorted()[10] <= 3, "\(errors) frames; origins by \(moved) ns")
    }
  }

  @Test(.enabled(if: !TestedServer.isPipeWire), arguments: kinds)
  func `a sink holds as much with a listener as without`(rewinds: Bool) async throws {
    try await onOwnThread {
      let server = try TestedServer.shared
      let sink = try server.makeSink(format: ChangeListener.format, rewinds: rewinds)
      let ramp = try RampStream(server, sink: sink)
      defer { ramp.stream.close() }
      let connection = try server.connect()
      let alone = try connection.sink(named: sink).configuredLatency
      #expect(alone == .milliseconds(rewinds ? 500 : 50))
      let listener = try ChangeListener(server, sink: sink)
      defer { listener.listener.close() }
      let second = try listener.listener.moment().number + 144_000
      _ = try listener.recording(second..<second + 1)
      #expect(try connection.sink(named: sink).configuredLatency == alone)
    }
  }

  @Test(arguments: kinds)
  func `a player's frames are read beside the reference, to the bit`(rewinds: Bool) async throws {
    try await onOwnThread {
      let sound = try TestSound()
      let playback = try ListenedPlayback(
        TestedServer.shared, [sound.numbered(1, frames: 10 * 48_000)], rewinds: rewinds, fade: .none
      )
      playback.player.play()
      let begin = try playback.listener.listener.moment().number + 144_000
      _ = try playback.listener.recording(begin..<begin + 1)
      let moment = try playback.listener.call {
        playback.player.seek(to: MediaTime(value: 300_007, timescale: 48_000))
      }
      let change = try playback.listener.change(after: moment) { $1 > $0 && $1 - $0 < 1e-5 }
      let heard = Heard.read(try playback.listener.recording(moment.number..<change + 12_000))
      guard case .frames(1, let first)? = heard.first, heard.count == 2 else {
        Issue.record("\(heard)")
        return
      }
      #expect(first.count == change - moment.number)
      #expect(heard[1] == .frames(item: 1, 300_007..<312_007))
    }
  }
}
