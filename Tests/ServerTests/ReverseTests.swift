// SPDX-License-Identifier: Apache-2.0

import Attacca
import TestServers
import Testing

@Suite struct ReverseTests {
  private static let lengths = [96_000, 144_000]

  /// Frames that are heard on one way: the frame at index i of the recording is `first` + `step` · i.
  private struct Way {
    let first: Int
    let step: Int
    /// The index behind the last one that is exactly that.
    let end: Int

    init(_ places: [Int], from begin: Int, step: Int) {
      let first = places[begin] - step * begin
      let end = places[begin...].indices.first { places[$0] != first + step * $0 }
      (self.first, self.step, self.end) = (first, step, end ?? places.count)
    }

    /// Where this way goes back on `other`: an index, and the place between two frames.
    ///
    /// Nil where that is not between two frames.
    func turn(from other: Way) -> (index: Int, place: Int)? {
      let (up, down) = step > 0 ? (self, other) : (other, self)
      let twice = down.first - up.first + 1
      guard twice.isMultiple(of: 2) else { return nil }
      return (twice / 2, up.first + twice / 2)
    }
  }

  /// The place in the list of each recorded frame, counted in frames; -1 for silence, -2 for what is
  /// mixed of two.
  private func places(_ recording: [Float]) -> [Int] {
    stride(from: 0, to: recording.count, by: 2).map { i in
      let number = recording[i] * Float(Heard.frameLimit)
      let item = recording[i + 1] * Float(Heard.itemLimit)
      if number == 0, item == 0 { return -1 }
      guard number == number.rounded(), item == 1 || item == 2 else { return -2 }
      return Int(number) - 1 + (item == 2 ? Self.lengths[0] : 0)
    }
  }

  /// Plays, turns, turns again; then turns while paused, and again.
  ///
  /// - Returns: the frame that was held, and the recording.
  private func play(_ playback: ServerPlayback) throws -> (held: Int, recording: [Float]) {
    let player = playback.player
    func seconds() -> Double { player.synchronizer.currentTime().seconds }
    player.play()
    try playback.wait("2.3 s") { seconds() > 2.3 }
    player.rate = -1
    try playback.wait("1.5 s") { seconds() < 1.5 }
    #expect(player.synchronizer.timebase.rate == -1)
    player.rate = 1
    try playback.wait("2.2 s") { seconds() > 2.2 }
    player.pause()
    try playback.listen(frames: 24_000)
    let held = seconds()
    player.rate = -1
    try playback.wait("1.9 s") { seconds() < 1.9 }
    player.rate = 1
    return (Int((held * 48_000).rounded()), try playback.finish())
  }

  @Test(arguments: [false, true])
  func `it turns round at the frame that is heard, plays or not, and passes joints both ways`(
    onPipeWire: Bool
  ) async throws {
    try await onOwnThread {
      let sound = try TestSound()
      let paths = try Self.lengths.enumerated().map { try sound.numbered($0 + 1, frames: $1) }
      let server: PrivateServer =
        try onPipeWire ? PrivatePipeWireServer.shared : PrivatePulseServer.shared
      let (playback, played) = try inTime {
        let playback = try ServerPlayback(server, paths, fade: .none)
        return (playback, try play(playback))
      }
      #expect(playback.renderer.underrunCount == 0)
      try expectTurns(places(played.recording), held: played.held)
    }
  }

  private func expectTurns(_ places: [Int], held: Int) throws {
    let start = try #require(places.firstIndex { $0 != -1 })
    let fade = Fade.standard.milliseconds * 48
    var way = Way(places, from: start, step: 1)
    #expect(way.first + start == 0)
    for turn in 1...4 {
      if turn == 3 {
        #expect(way.first + way.end == held)
        let resumed = try #require(places[way.end...].firstIndex { $0 != -1 })
        way = Way(places, from: resumed, step: -1)
        // The frame before the one that was held.
        #expect(way.first - resumed == held - 1)
      } else {
        let next = Way(places, from: way.end + fade, step: -way.step)
        let met = next.turn(from: way)
        let (index, place) = try #require(met, "turn \(turn)")
        // The first frames of a crossfade may be those of before, to the last bit.
        #expect((index...(index + 4)).contains(way.end), "turn \(turn) at \(place)")
        way = next
      }
    }
    #expect(way.first + way.end == Self.lengths.reduce(0, +))
    #expect(places[way.end...].allSatisfy { $0 == -1 })
  }
}
