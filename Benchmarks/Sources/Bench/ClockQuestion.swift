// SPDX-License-Identifier: Apache-2.0

import Answers
import Attacca

/// Reading what is heard.
struct ClockQuestion: Question {
  let name = "clock"
  let asks = "how long a reading of the clock takes"

  func answer(_ effort: Effort) throws -> [Answer] {
    let player = SampleBufferPlayer(renderer: NullRenderer())
    player.playlist.append(PlaylistItem(path: Sounds.fixtures + "album-uncut.flac"))
    player.play()
    try BenchFailure.waitUntil("the clock runs") { player.currentTime != .zero }
    let clock = player.synchronizer
    var last = clock.currentTime()
    var runsBack = 0
    let time = effort.nanoseconds(calls: 1_000, rounds: 200) {
      let now = clock.currentTime()
      if now < last { runsBack += 1 }
      last = now
    }
    player.stop()
    try BenchFailure.unless(runsBack == 0, "the clock ran back \(runsBack) times")
    return [Answer(name: "currentTime()", value: time, unit: "ns")]
  }
}
