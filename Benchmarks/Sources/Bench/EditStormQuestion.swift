// SPDX-License-Identifier: Apache-2.0

import Answers
import Attacca
import CHeap
import Glibc

/// Edits from four threads at once, for what they leave behind.
struct EditStormQuestion: Question {
  let name = "edit-storm"
  let asks = "how much memory 500,000 edits of a playing list of 20,000 items by four threads leave"

  func answer(_ effort: Effort) throws -> [Answer] {
    let player = SampleBufferPlayer(renderer: NullRenderer(latency: .low))
    let items = 20_000
    let sound = PlaylistItem(path: Sounds.fixtures + "album-uncut.flac")
    let others = (1..<items).map { _ in PlaylistItem(path: "nothing.wav") }
    player.playlist.append(contentsOf: [sound] + others)
    player.play()
    try BenchFailure.waitUntil("the first item plays") { player.currentItem != nil }
    let before = (Resident.proportional, heap_in_use())
    let begin = Effort.now()
    let rounds = effort.times(31_250)
    let threads = (0..<4).map { number in Self.thread { Self.edit(player.playlist, number, rounds) }
    }
    for thread in threads { pthread_join(thread, nil) }
    let seconds = Double(Effort.now() - begin) / 1e9
    let grown = Double(Resident.proportional - before.0) / 1_024
    let inUse = Double(Int(heap_in_use()) - Int(before.1)) / 1_048_576
    try BenchFailure.unless(
      player.currentItem == sound && player.playlist.count == items,
      "\(String(describing: player.currentItem)) is current, \(player.playlist.count) items")
    player.stop()
    return [
      Answer(name: "seconds", value: seconds, unit: "s"),
      Answer(name: "in use", value: inUse, unit: "MB more"),
      Answer(name: "proportional set", value: grown, unit: "MB more", isJudged: true),
    ]
  }

  private static func edit(_ playlist: Playlist, _ number: Int, _ rounds: Int) {
    var mine: [PlaylistItem] = []
    for round in 0..<rounds {
      let place = 1 + (round &* 7_919 &+ number &* 4_001) % 19_000
      let new = PlaylistItem(path: "new.wav"), other = PlaylistItem(path: "other.wav")
      playlist.insert(new, at: place)
      do throws(PlaylistError) {
        try playlist.move(new.id, to: .last)
        try playlist.replace(new.id, with: other)
        mine.append(other)
        try playlist.remove(mine.removeFirst().id)
      } catch {
        fatalError("\(error)")
      }
    }
  }

  private static func thread(_ body: @escaping @Sendable () -> Void) -> pthread_t {
    final class Job {
      let body: @Sendable () -> Void
      init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var thread = pthread_t()
    let job = Unmanaged.passRetained(Job(body)).toOpaque()
    pthread_create(
      &thread, nil,
      { job in
        Unmanaged<Job>.fromOpaque(job!).takeRetainedValue().body()
        return nil
      }, job)
    return thread
  }
}
