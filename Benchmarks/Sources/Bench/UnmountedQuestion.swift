// SPDX-License-Identifier: Apache-2.0

import Answers
import Attacca
import Dispatch

/// A library on a disk that is not there.
struct UnmountedQuestion: Question {
  let name = "unmounted"
  let asks = "what a file that is missing costs, among 100,000 and 1,000,000 such"

  func answer(_ effort: Effort) throws -> [Answer] {
    let counts = effort.isQuick ? [1_000, 10_000] : [100_000, 1_000_000]
    let runs = try counts.map { try play($0) }
    let each = zip(counts, runs).map { $1.nanoseconds / Double($0) }
    return [
      Answer(name: "an item of \(counts[0])", value: each[0] / 1_000, unit: "µs"),
      Answer(name: "an item of \(counts[1])", value: each[1] / 1_000, unit: "µs", isJudged: true),
      Answer(name: "all \(counts[1])", value: runs[1].nanoseconds / 1e9, unit: "s"),
      Answer(
        name: "ten times as many", value: each[1] / each[0], unit: "× an item", isJudged: true),
      Answer(
        name: "memory while \(counts[1]) are tried", value: runs[1].megabytes, unit: "MB more",
        isJudged: true),
    ]
  }

  private func play(_ count: Int) throws -> (nanoseconds: Double, megabytes: Double) {
    let player = SampleBufferPlayer(renderer: NullRenderer(latency: .low))
    player.playlist.append(
      contentsOf: (0..<count).map { PlaylistItem(path: "/nowhere/\($0).flac") })
    let told = Told()
    let isOver = DispatchSemaphore(value: 0)
    let observation = player.events.observe(on: DispatchQueue(label: "told")) { event in
      if case .itemsDidFail(let failures) = event {
        told.failed += failures.reduce(0) { $0 + 1 + $1.furtherCount }
      }
      if case .endOfQueue = event { isOver.signal() }
    }
    let (memory, begin) = (Resident.proportional, Effort.now())
    player.play()
    isOver.wait()
    let nanoseconds = Double(Effort.now() - begin)
    let megabytes = Double(Resident.proportional - memory) / 1_024
    observation.cancel()
    try BenchFailure.unless(told.failed == count, "\(told.failed) failures of \(count) were told")
    return (nanoseconds, megabytes)
  }

  /// A count of failures.
  private final class Told: @unchecked Sendable {
    // @unchecked: touched on one queue, and read when that is told nothing any more.
    var failed = 0
  }
}
