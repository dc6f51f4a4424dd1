// SPDX-License-Identifier: Apache-2.0

import Answers
import Attacca
import Glibc

/// Memory that playing asks for once it is under way.
struct SteadyQuestion: Question {
  let name = "steady"
  let asks = "how often a second the whole process allocates while it plays, by who does it"

  /// Nothing is to be heard of the start any more: the device's buffer is full, and the pools are.
  private static let warmUp = 4
  private static let seconds = 20

  func answer(_ effort: Effort) throws -> [Answer] {
    let sounds = try SteadySounds(seconds: Self.warmUp + Self.seconds + 6)
    defer { sounds.remove() }
    try control(sounds)
    let seconds = effort.isQuick ? 2 : Self.seconds
    let answers = try sounds.all.flatMap {
      try measure($0.path, named: $0.name, on: NullRenderer(), seconds: seconds)
    }
    let server = try PulseServer()
    return try answers
      + measure(
        sounds.all[1].path, named: "FLAC on PulseAudio", on: server.makeRenderer(),
        seconds: seconds)
  }

  /// Twelve allocations on purpose are twelve, and that function's.
  private func control(_ sounds: SteadySounds) throws {
    let count = try AllocationCount {
      for size in 1...12 { Self.allocate(size) }
    }
    let (own, all) = (count.count(.attacca), count.sites.reduce(0) { $0 + $1.count })
    let name = count.sites.first { $0.owner == .attacca }?.functions.first ?? "nothing"
    try BenchFailure.unless(
      own == 12 && all == 12 && name.contains("SteadyQuestion.(allocate"),
      "12 allocations are counted as \(own) of \(all), in \(name)")
    // And a library's are the library's.
    let opening = try AllocationCount {
      _ = try SoundFile(path: sounds.all[1].path, pool: FramePool())
    }
    try BenchFailure.unless(
      opening.libraries.contains { $0.hasPrefix("libFLAC") },
      "opening a FLAC file, only \(opening.libraries) allocate")
  }

  @inline(never)
  private static func allocate(_ size: Int) {
    UnsafeMutablePointer<Int>.allocate(capacity: size).deallocate()
  }

  private func measure(
    _ path: String, named name: String, on renderer: AudioRenderer, seconds: Int
  ) throws -> [Answer] {
    let player = SampleBufferPlayer(renderer: renderer)
    player.playlist.append(PlaylistItem(path: path))
    player.play()
    try BenchFailure.waitUntil("\(name) plays") { player.currentItem != nil }
    sleep(UInt32(Self.warmUp))
    let begin = player.currentTime
    let count = try AllocationCount { sleep(UInt32(seconds)) }
    let played = (player.currentTime - begin).seconds
    let underruns = player.renderer.underrunCount
    player.stop()
    try BenchFailure.unless(
      abs(played - Double(seconds)) < 0.5 && underruns == 0,
      "\(name): \(played) s were played in \(seconds) s, \(underruns) underruns")
    return answers(count, of: name, seconds: Double(seconds))
  }

  private func answers(_ count: AllocationCount, of name: String, seconds: Double) -> [Answer] {
    func answer(_ what: String, _ number: Int, isJudged: Bool = false) -> Answer {
      Answer(
        name: "\(name), \(what)", value: Double(number) / seconds, unit: "a second",
        isJudged: isJudged)
    }
    var answers = [answer("ours", count.count(.attacca), isJudged: true)]
    // The places, so that they can be found.
    let places = Dictionary(
      count.sites.filter { $0.owner == .attacca }.map {
        ($0.functions.joined(separator: ", called by "), $0.count)
      }, uniquingKeysWith: +)
    for (place, number) in places.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
      answers.append(answer("  in \(place)", number))
    }
    answers.append(answer("Dispatch's own", count.count(.dispatch)))
    for library in count.libraries {
      answers.append(answer(library, count.count(.library(library))))
    }
    return answers
  }
}
