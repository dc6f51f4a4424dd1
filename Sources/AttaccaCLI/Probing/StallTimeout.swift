// SPDX-License-Identifier: Apache-2.0

import Attacca
import AttaccaNetwork
import Dispatch
import Synchronization

/// Waits for work on a file that may hang, and gives up on it after 30 seconds without progress, or behind all that a
/// server is waited for.
///
/// The thread is left behind then: nothing can end a C library that loops.
final class StallTimeout: Sendable {
  private let steps = Atomic<Int>(0)

  /// Tells that the work goes on; called by the work.
  func madeProgress() { steps.add(1, ordering: .relaxed) }

  private static let seconds = 30

  private final class Outcome<Value>: @unchecked Sendable {
    // @unchecked: written before the semaphore is signalled, read after.
    var result: Result<Value, SoundFileError>?
    let isThere = DispatchSemaphore(value: 0)
  }

  /// Does `work` on a thread of its own and waits for it; `source` is what it reads, if that is on a server.
  static func wait<Value>(
    for path: String, _ source: HTTPSource? = nil,
    _ work: @escaping @Sendable (StallTimeout) throws(SoundFileError) -> Value
  ) throws(SoundFileError) -> Value {
    let (timeout, outcome) = (StallTimeout(), Outcome<Value>())
    DispatchQueue(label: "attacca.file").async {
      outcome.result = Result { () throws(SoundFileError) in try work(timeout) }
      outcome.isThere.signal()
    }
    let limits = source.map {
      ($0.options.connectionLimit + $0.options.silenceLimit + $0.options.retryLimit) / 1_000
    }
    let limit = Self.seconds + max(0, limits ?? 0)
    var seen = -1
    while outcome.isThere.wait(timeout: .now() + .seconds(limit)) == .timedOut {
      let steps = timeout.steps.load(ordering: .relaxed)
      guard steps != seen else {
        throw SoundFileError(
          .broken, path: path, call: "read", cause: "no progress for \(limit) s; given up on")
      }
      seen = steps
    }
    // Set before the signal.
    return try outcome.result!.get()
  }
}
