// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// The thread on which one source is opened.
///
/// Swift's own are as many as there are cores: where two of them wait for frames, as a task that renders
/// offline does, nothing would be opened on two cores. A concurrent queue shares their threads, and got another
/// one only after half a second; a serial one always has its own.
final class SourceExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "attacca.source")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
