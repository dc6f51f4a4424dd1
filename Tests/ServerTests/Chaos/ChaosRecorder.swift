// SPDX-License-Identifier: Apache-2.0

import Foundation
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
  private let lengths: [Int: Int]
  private var ears: [String: Ear] = [:]

  init(log: ChaosLog, lengths: [Int: Int]) { (self.log, self.lengths) = (log, lengths) }

  /// Records `sink` from now on, in place of what was recorded of a sink of that name before.
  func attach(_ sink: String, of server: PrivateServer) throws {
    let format = FaultScene.a.format
    let capture = try MonitorCapture(
      connection: server.connect(), sink: sink, format: format,
      fragment: .milliseconds(server is PrivatePipeWireServer ? 40 : 20))
    let old = lock.withLock { () -> Ear? in
      ears.updateValue(Ear(capture: capture, history: LegalHistory(lengths: lengths)), forKey: sink)
    }
    old?.capture.stop()
  }

  /// Ends the recording of `sink`, or of all.
  func detach(_ sink: String? = nil) {
    let old = lock.withLock { () -> [Ear] in
      let names = sink.map { [$0] } ?? Array(ears.keys)
      return names.compactMap { ears.removeValue(forKey: $0) }
    }
    for ear in old { ear.capture.stop() }
  }

  /// Compares what has been recorded since the last time.
  func read() {
    lock.withLock {
      for sink in ears.keys.sorted() {
        let (samples, arrivals) = ears[sink]!.capture.takeWithArrivals()
        var first = 0
        for arrival in arrivals {
          for i in first..<first + arrival.count {
            guard let fault = ears[sink]!.history.hear(samples[2 * i], samples[2 * i + 1]) else {
              continue
            }
            // Frames of a run come together, each was heard so much before the last of it.
            let age = UInt64(first + arrival.count - i) * 1_000_000_000 / 48_000
            if !log.explains(arrival.hostTime - age) { log.violate("on \(sink) \(fault)") }
          }
          first += arrival.count
        }
      }
    }
  }

  /// The sink on which an item is heard in order, its frame, and for how many frames so.
  func heard() -> (sink: String, item: Int, frame: Int, inOrder: Int)? {
    lock.withLock {
      let heard = ears.compactMap { sink, ear in
        ear.history.last.map { (sink, $0.item, $0.frame, ear.history.inOrder) }
      }
      return heard.max { $0.3 < $1.3 }
    }
  }
}
