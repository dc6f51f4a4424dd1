// SPDX-License-Identifier: Apache-2.0

import Answers
import Attacca
import Dispatch
import MediaTime
@testable import Rendering

/// Calling whoever observes the time.
struct ObserverQuestion: Question {
  let name = "observers"
  let asks = "how late an observer is called, of 1 and of 10,000"

  /// What is observed lies so far apart, in ticks.
  private static let interval = Int64(MediaTicks.perSecond / 100)

  func answer(_ effort: Effort) throws -> [Answer] {
    var answers: [Answer] = []
    for count in [1, 10_000] {
      for isPeriodic in [true, false] {
        let lateness = try measure(
          observers: count, isPeriodic: isPeriodic, crossings: effort.isQuick ? 5 : 200)
        let kind = "\(isPeriodic ? "periodic" : "boundary"), of \(count)"
        answers.append(Answer(name: "\(kind), p50", value: lateness.percentile(50), unit: "µs"))
        answers.append(Answer(name: "\(kind), p99", value: lateness.percentile(99), unit: "µs"))
      }
    }
    return answers
  }

  /// Microseconds that each of `crossings` calls came late, one every 10 ms; the other observers are
  /// due in hours.
  private func measure(
    observers count: Int, isPeriodic: Bool, crossings: Int
  ) throws -> [Double] {
    let synchronizer = RenderSynchronizer()
    let calls = Calls(queue: DispatchQueue(label: "observer"))
    let due = (1...crossings).map { Int64($0) * Self.interval }
    var kept: [TimeObservation] = (1..<count).map {
      synchronizer.addBoundaryTimeObserver(
        forTimes: [MediaTime(value: Int64($0) + 10_000, timescale: 1)], queue: calls.queue
      ) {}
    }
    if isPeriodic {
      kept.append(
        synchronizer.addPeriodicTimeObserver(
          forInterval: MediaTime(value: 1, timescale: 100), queue: calls.queue
        ) { calls.note(MediaTicks.ticks($0)) })
    } else {
      kept.append(
        synchronizer.addBoundaryTimeObserver(
          forTimes: due.map { MediaTime(value: $0, timescale: Int32(MediaTicks.perSecond)) },
          queue: calls.queue
        ) { calls.note(0) })
    }
    // All are in place: a boundary that has been crossed before is not told of.
    synchronizer.observers.queue.sync {}
    synchronizer.setRate(1, time: .zero)
    // Long enough for the last call too, which may be late.
    let end = due[crossings - 1] + 10 * Self.interval
    try BenchFailure.waitUntil("\(crossings) calls") {
      MediaTicks.ticks(synchronizer.currentTime()) > end
    }
    let noted = calls.all
    // A periodic observer is called where the time has jumped to, and at intervals from there.
    let start = noted.first?.ticks ?? 0
    return try due.map { ticks in
      guard let crossed = synchronizer.hostTime(ofTicks: start + ticks),
        // The first call after it: none comes before its time.
        let call = noted.first(where: { $0.hostTime >= crossed })?.hostTime
      else { throw BenchFailure("\(ticks) ticks were crossed, and no observer was called") }
      return Double(call - crossed) / 1_000
    }
  }

  /// When an observer was called.
  private final class Calls: @unchecked Sendable {
    // @unchecked: `noted` is touched on `queue` only.
    let queue: DispatchQueue
    private var noted: [(hostTime: UInt64, ticks: Int64)] = []

    init(queue: DispatchQueue) { self.queue = queue }

    /// On the queue.
    func note(_ ticks: Int64) { noted.append((HostTime.now(), ticks)) }

    var all: [(hostTime: UInt64, ticks: Int64)] { queue.sync { noted } }
  }
}
