// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Runs `body`, which waits for a real server, on a thread of its own.
///
/// Swift's own threads are as many as the machine has cores. Tests that wait on them in real time
/// would run one after another.
public func onOwnThread<R: Sendable>(
  _ body: @escaping @Sendable () throws -> R
) async throws -> R {
  try await withCheckedThrowingContinuation { continuation in
    Thread { continuation.resume(with: Result { try body() }) }.start()
  }
}
