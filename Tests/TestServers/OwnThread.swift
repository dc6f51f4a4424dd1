// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Runs `body`, which waits for a real server, on a thread of its own.
///
/// Swift's own threads are as many as the machine has cores. Tests that wait on them in real time
/// would run one after another. The body stays a part of the calling task, so that the issues it
/// records are the calling test's.
///
/// - Parameter body: May block.
/// - Returns: What `body` returns.
/// - Throws: What `body` throws.
public func onOwnThread<R: Sendable>(
  _ body: @escaping @Sendable () throws -> R
) async throws -> R {
  try await withTaskExecutorPreference(ThreadPerJob()) { try body() }
}

private final class ThreadPerJob: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    Thread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }.start()
  }
}
