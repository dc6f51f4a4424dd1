// SPDX-License-Identifier: Apache-2.0

import Dispatch
import SampleBuffers

/// The thread that opens and reads files.
///
/// Started by a serializer, which hands it one job after the other; it decodes, and does nothing
/// else.
///
/// A C library may hang in a job for ever. The thread is then given up: its owner lets go of it and
/// starts another, and should the job ever return, this one ends.
final class DecoderThread: @unchecked Sendable {
  typealias Job = @Sendable () -> Void

  // @unchecked: `jobs` and `isOver` are touched only between wait and signal of `semaphore`.
  private let semaphore = DispatchSemaphore(value: 1)
  private let wake = DispatchSemaphore(value: 0)
  private var jobs: [Job] = []
  private var isOver = false

  init() {
    // libvorbis keeps whole blocks of samples on the stack; 1 MiB is an eighth of the default.
    NamedThread.start("attacca-decode", stackSize: 1 << 20) { [self] in run() }
  }

  /// Adds a job behind those that wait.
  func perform(_ job: @escaping Job) {
    semaphore.wait()
    jobs.append(job)
    semaphore.signal()
    wake.signal()
  }

  /// Ends the thread after the job under way; those that wait are dropped.
  func end() {
    semaphore.wait()
    isOver = true
    jobs.removeAll()
    semaphore.signal()
    wake.signal()
  }

  private func run() {
    while true {
      wake.wait()
      semaphore.wait()
      let job = jobs.isEmpty ? nil : jobs.removeFirst()
      let isOver = self.isOver
      semaphore.signal()
      if isOver { return }
      job?()
    }
  }
}
