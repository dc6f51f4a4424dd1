// SPDX-License-Identifier: Apache-2.0

import Answers
import Attacca

/// How long the playlist's semaphore is held while something plays.
struct HoldQuestion: Question {
  let name = "hold"
  let asks = "how long one of 100,000 edits while playing holds the playlist's semaphore"

  func answer(_ effort: Effort) throws -> [Answer] {
    try [1_000, 1_000_000].flatMap { try measure(items: $0, effort) }
  }

  private func measure(items: Int, _ effort: Effort) throws -> [Answer] {
    let player = SampleBufferPlayer(renderer: NullRenderer(latency: .low))
    let sound = PlaylistItem(path: Sounds.fixtures + "album-uncut.flac")
    let others = (1..<items).map { _ in PlaylistItem(path: "nothing.wav") }
    let playlist = player.playlist
    playlist.append(contentsOf: [sound] + others)
    player.play()
    try BenchFailure.waitUntil("the first item plays") { player.currentItem != nil }
    let rounds = effort.times(25_000)
    let log = HoldLog(capacity: 1_000_000) {
      _ = playlist.count
    } while: {
      for round in 0..<rounds {
        let a = 1 + round &* 7_919 % (items - 1)
        let b = 1 + (round &* 31 &+ 17) % (items - 1)
        playlist.insert(PlaylistItem(path: "new.wav"), at: a)
        playlist.move(from: a, to: b)
        playlist.replace(at: b, with: PlaylistItem(path: "other.wav"))
        playlist.remove(at: a)
      }
    }
    let underruns = player.renderer.underrunCount
    let current = player.currentItem
    player.stop()
    try BenchFailure.unless(
      current == sound && playlist.count == items && log.processor.count >= 4 * rounds,
      "\(String(describing: current)) is current, \(playlist.count) items, "
        + "\(log.processor.count) holds")
    let name = "\(items) items"
    return log.answers(name) + [
      Answer(name: "\(name), underruns", value: Double(underruns), unit: "", isJudged: true)
    ]
  }
}
