// SPDX-License-Identifier: Apache-2.0

import Answers
import Attacca
import Glibc

/// 100,000 edits while something plays.
struct PlayingEditQuestion: Question {
  let name = "playing-edit"
  let asks = "how long one of 100,000 edits of a playing list of 100,000 items takes its caller"

  func answer(_ effort: Effort) throws -> [Answer] {
    let player = SampleBufferPlayer(renderer: NullRenderer(latency: .low))
    let others = (0..<100_000).map { _ in PlaylistItem(path: "nothing.wav") }
    let sound = PlaylistItem(path: Sounds.fixtures + "album-uncut.flac")
    player.playlist.append(contentsOf: [sound] + others)
    player.play()
    try BenchFailure.waitUntil("the first item plays") { player.currentItem != nil }
    var times: [Int] = []
    for i in 0..<effort.times(50_000) {
      let item = PlaylistItem(path: "nothing.wav")
      let place = 1 + i &* 7_919 % 100_000
      // CPU time of the whole call, more than the semaphore is held for.
      times.append(time { player.playlist.insert(item, at: place) })
      times.append(time { player.playlist.remove(at: place) })
    }
    try BenchFailure.unless(
      player.currentItem == sound, "\(String(describing: player.currentItem)) is current")
    let underruns = player.renderer.underrunCount
    player.stop()
    return [
      Answer(name: "p50", value: Double(times.percentile(50)) / 1_000, unit: "µs"),
      Answer(name: "p99", value: Double(times.percentile(99)) / 1_000, unit: "µs"),
      Answer(name: "longest", value: Double(times.max()!) / 1_000, unit: "µs"),
      Answer(name: "underruns", value: Double(underruns), unit: "", isJudged: true),
    ]
  }

  private func time(_ body: () -> Void) -> Int {
    let begin = Effort.now(CLOCK_THREAD_CPUTIME_ID)
    body()
    return Effort.now(CLOCK_THREAD_CPUTIME_ID) - begin
  }
}
