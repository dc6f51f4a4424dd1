// SPDX-License-Identifier: Apache-2.0

import Answers
import Attacca
import Glibc

/// Processor time of many voices on one bus.
struct VoicesQuestion: Question {
  let name = "voices"
  let asks = "how much CPU 32 voices of 44.1 kHz FLAC take on a bus of PulseAudio, against one"

  /// Nothing is to be seen of the start any more.
  private static let warmUp = 5
  private static let seconds = 10
  private static let most = 32

  func answer(_ effort: Effort) throws -> [Answer] {
    let seconds = effort.isQuick ? 2 : Self.seconds
    let sounds = try SteadySounds(seconds: Self.warmUp + seconds + 8)
    defer { sounds.remove() }
    guard let sound = sounds.all.first(where: { $0.name == "FLAC, converted" }) else {
      throw BenchFailure("there is no FLAC to be converted")
    }
    let server = try PulseServer()
    let one = try measure(1, sound.path, seconds, on: server)
    let many = try measure(Self.most, sound.path, seconds, on: server)
    return [
      Answer(name: "1 voice", value: one.milliseconds, unit: "ms a second"),
      Answer(name: "\(Self.most) voices", value: many.milliseconds, unit: "ms a second"),
      Answer(
        name: "CPU of \(Self.most)", value: many.milliseconds / one.milliseconds,
        unit: "× that of one", isJudged: true),
      Answer(
        name: "underruns at the start", value: Double(one.atStart + many.atStart), unit: "",
        isJudged: true),
      Answer(
        name: "underruns", value: Double(one.underruns + many.underruns), unit: "",
        isJudged: true),
    ]
  }

  private func measure(
    _ count: Int, _ path: String, _ seconds: Int, on server: PulseServer
  ) throws -> (milliseconds: Double, atStart: Int, underruns: Int) {
    let bus = try server.makeBus()
    let players = (0..<count).map { _ in SampleBufferPlayer(renderer: bus.makeRenderer()) }
    for player in players {
      player.volume = 1 / Float(Self.most)
      player.playlist.append(PlaylistItem(path: path))
      player.play()
    }
    try BenchFailure.waitUntil("\(count) voices play") {
      players.allSatisfy { $0.currentItem != nil }
    }
    sleep(UInt32(Self.warmUp))
    let atStart = players.reduce(0) { $0 + $1.renderer.underrunCount }
    let before = (players.map(\.currentTime), Effort.now(CLOCK_PROCESS_CPUTIME_ID))
    sleep(UInt32(seconds))
    let nanoseconds = Effort.now(CLOCK_PROCESS_CPUTIME_ID) - before.1
    let underruns = players.reduce(0) { $0 + $1.renderer.underrunCount }
    for (player, begin) in zip(players, before.0) {
      let played = (player.currentTime - begin).seconds
      try BenchFailure.unless(
        abs(played - Double(seconds)) < 0.5, "a voice played \(played) s in \(seconds) s")
      player.stop()
    }
    return (Double(nanoseconds) / 1e6 / Double(seconds), atStart, underruns - atStart)
  }
}
