// SPDX-License-Identifier: Apache-2.0

import Answers
import Attacca
import Glibc

/// Edits of lists of a thousand to a million items.
struct EditQuestion: Question {
  let name = "edit"
  let asks = "how long an edit takes, in lists of 1,000 to 1,000,000 items"

  func answer(_ effort: Effort) throws -> [Answer] {
    let sizes = [1_000, 10_000, 100_000, 1_000_000]
    let lists = sizes.map { size in
      let playlist = Playlist()
      playlist.append(contentsOf: (0..<size).map { _ in PlaylistItem(path: "nothing.wav") })
      return playlist
    }
    // By turns, so that what disturbs the machine disturbs all.
    var times = [[Int]](repeating: [], count: sizes.count)
    for round in 0..<effort.times(5_000) {
      for (i, playlist) in lists.enumerated() {
        times[i] += edit(playlist, place: round &* 7_919)
        try BenchFailure.unless(
          playlist.count == sizes[i], "\(playlist.count) items instead of \(sizes[i])")
      }
    }
    var answers: [Answer] = []
    for i in sizes.indices {
      for percent in [50, 99] {
        answers.append(
          Answer(
            name: "\(sizes[i]) items, p\(percent)",
            value: Double(times[i].percentile(Double(percent))) / 1_000, unit: "µs"))
      }
    }
    let ratio = Double(times[3].percentile(99)) / Double(times[0].percentile(99))
    answers.append(
      Answer(name: "p99 of a million", value: ratio, unit: "× that of 1,000", isJudged: true))
    return answers
  }

  /// Nanoseconds of CPU that one insertion, move, replacement, look-up and removal take each.
  ///
  /// The thread's own time: waiting for a core says nothing about a list.
  private func edit(_ playlist: Playlist, place: Int) -> [Int] {
    let count = playlist.count
    let (a, b) = (place % count, (place &* 31 &+ 17) % count)
    let (new, other) = (PlaylistItem(path: "new.wav"), PlaylistItem(path: "other.wav"))
    let removed = playlist[b]
    return [
      time { playlist.insert(new, at: a) },
      time { playlist.move(from: a, to: b) },
      time { playlist.replace(at: b, with: other) },
      time { _ = playlist.index(of: removed.id) },
      time { playlist.remove(at: b) },
    ]
  }

  private func time(_ body: () -> Void) -> Int {
    let begin = Effort.now(CLOCK_THREAD_CPUTIME_ID)
    body()
    return Effort.now(CLOCK_THREAD_CPUTIME_ID) - begin
  }
}
