// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// The threads on which sources are opened.
///
/// Swift's own are as many as there are cores: where two of them wait for frames, as a task that renders
/// offline does, nothing would be opened on two cores.
final class SourceExecutor: TaskExecutor {
  static let shared = SourceExecutor()
  private let queue = DispatchQueue(label: "attacca.sources", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
