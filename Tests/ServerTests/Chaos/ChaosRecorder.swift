// SPDX-License-Identifier: Apache-2.0

import Foundation
import MediaTime
import PulseAudio
import TestServers

/// Records sinks and compares what is heard with what was done.
///
/// Used by one thread, but for `attach` and `detach`.
final class ChaosRecorder: @unchecked Sendable {
  // @unchecked: all of it is touched under `lock` only.
  private struct Ear {
    let capture: MonitorCapture
    var history: LegalHistory
  }

  private let lock = NSLock()
  private let log: ChaosLog
  private let items: NamedItems
  private var ears: [String: Ear] = [:]
  private var judge: ChaosJudge
  /// Whose state is told with what is wrong; set by who reads.
  weak var subject: (any ChaosSubject)?
  /// Frames that were heard in order, and the turns between them.
  private var counts = (inOrder: 0, turns: 0)
  /// The notes of sinks that nobody hears.
  private var deafness: [String: Int] = [:]

  init(log: ChaosLog, items: NamedItems) {
    (self.log, self.items) = (log, items)
    judge = ChaosJudge(log, items)
  }

  /// Records `sink` from now on, in place of what was recorded of a sink of that name before.
  func attach(_ sink: String, of server: PrivateServer) throws {
    let format = FaultScene.a.format
    let capture = try MonitorCapture(
      connection: server.connect(), sink: sink, format: format,
      fragment: .milliseconds(server is PrivatePipeWireServer ? 40 : 20))
    let old = lock.withLock { () -> Ear? in
      if let number = deafness.removeValue(forKey: sink) { log.end(number) }
      return ears.updateValue(Ear(capture: capture, history: LegalHistory(items)), forKey: sink)
    }
    old?.capture.stop()
  }

  /// Ends the recording of `sink`, or of all; what has been recorded is compared.
  func detach(_ sink: String? = nil) {
    read()
    let old = lock.withLock { () -> [Ear] in
      let names = sink.map { [$0] } ?? Array(ears.keys)
      for name in names where deafness[name] == nil {
        deafness[name] = log.begin("nobody hears \(name)", .deafness)
      }
      return names.compactMap { ears.removeValue(forKey: $0) }
    }
    for ear in old { ear.capture.stop() }
  }

  /// Compares what has been recorded since the last time, in the order in which it came.
  func read() {
    lock.withLock {
      var runs: [(sink: String, samples: ArraySlice<Float>, arrival: MonitorCapture.Arrival)] = []
      for (sink, ear) in ears {
        let (samples, arrivals) = ear.capture.takeWithArrivals()
        guard let first = arrivals.first?.frame else { continue }
        for arrival in arrivals {
          let begin = 2 * (arrival.frame - first)
          runs.append((sink, samples[begin..<begin + 2 * arrival.count], arrival))
        }
      }
      for run in runs.sorted(by: { $0.arrival.hostTime < $1.arrival.hostTime }) {
        hear(run.samples, run.arrival, on: run.sink)
      }
      for complaint in judge.complaints(at: HostTime.now()) {
        log.violate("\(complaint); what is played says \(subject?.state ?? "nothing any more")")
      }
    }
  }

  private func hear(
    _ samples: ArraySlice<Float>, _ arrival: MonitorCapture.Arrival, on sink: String
  ) {
    let before = ears[sink]!.history.inOrder
    let turns = samples.withUnsafeBufferPointer { ears[sink]!.history.hear($0) }
    // Frames of a run come together, each was heard so much before the last of it.
    func time(_ frame: Int) -> UInt64 {
      arrival.hostTime - UInt64(arrival.frame + arrival.count - frame) * 1_000_000_000 / 48_000
    }
    counts.turns += turns.count
    let inOrder = ears[sink]!.history.inOrder
    counts.inOrder += turns.isEmpty ? inOrder - before : inOrder
    for turn in turns { judge.take(turn, on: sink, from: time(turn.begin), to: time(turn.end)) }
    judge.heard(ears[sink]!.history, on: sink, at: arrival.hostTime)
  }

  /// The frame that is heard on a sink, and how many there were in order up to it.
  func heard(on sink: String) -> (last: NamedFrame, inOrder: Int)? {
    lock.withLock {
      guard let history = ears[sink]?.history, let last = history.last else { return nil }
      return (last, history.inOrder)
    }
  }

  /// Whether the newest frames of any sink are not silent.
  var isSound: Bool {
    lock.withLock {
      ears.values.contains { $0.history.sound != .silence && $0.history.sound != .nothing }
    }
  }

  /// How much was looked at, for messages.
  var account: String {
    lock.withLock { "\(counts.inOrder / 48_000) s in order, \(counts.turns) turns" }
  }

  /// What is heard on each sink, for messages.
  var state: String {
    lock.withLock {
      ears.sorted { $0.key < $1.key }.map { sink, ear in
        """
        \(sink): \(ear.history.sound) after \(ear.history.inOrder) in order, \(ear.history.newest) at last
        """
      }.joined(separator: ", ")
    }
  }
}
