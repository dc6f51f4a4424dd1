// SPDX-License-Identifier: Apache-2.0

@testable import Rendering
import Testing

@testable import Attacca

@Suite struct EnqueueWaitersTests {
  private struct Fault: Error {}

  enum Situation: CaseIterable { case nobody, cancelled, waiting }
  enum Event: CaseIterable {
    case wait, waitWhileReady, waitAfterFailure, cancel, forget, takeFirst, takeAll
  }

  /// What each event returns, who waits then, and who was cancelled.
  ///
  /// Two wait in the last state, and a third one comes.
  private static let table: [Situation: [String]] = [
    .nobody: [
      "waits [1] []", "goes on [] []", "fails [] []", "[] [1]", "[] []", "[] []", "[] []",
    ],
    .cancelled: [
      "cancelled [] []", "cancelled [] []", "fails [] [1]", "[] [1]", "[] []", "[] [1]", "[] [1]",
    ],
    .waiting: [
      "waits [1, 2, 3] []", "goes on [1, 2] []", "fails [1, 2] []", "1 [2] []", "[1, 2] []",
      "1 [2] []", "1 2 [] []",
    ],
  ]

  private func waiters(_ situation: Situation) -> EnqueueWaiters {
    var waiters = EnqueueWaiters()
    switch situation {
    case .nobody: break
    case .cancelled: _ = waiters.cancel(1)
    case .waiting:
      for number in 1...2 {
        _ = waiters.wait(waiter(number), isReady: false, error: nil)
      }
    }
    return waiters
  }

  private func waiter(_ number: Int) -> EnqueueWaiters.Waiter {
    EnqueueWaiters.Waiter(number: number) { _ in }
  }

  private func text(_ outcome: Result<Void, any Error>?) -> String {
    guard let outcome else { return "waits " }
    switch outcome {
    case .success: return "goes on "
    case .failure(let error): return error is CancellationError ? "cancelled " : "fails "
    }
  }

  private func apply(_ event: Event, by number: Int, to waiters: inout EnqueueWaiters) -> String {
    switch event {
    case .wait: return text(waiters.wait(waiter(number), isReady: false, error: nil))
    case .waitWhileReady: return text(waiters.wait(waiter(number), isReady: true, error: nil))
    case .waitAfterFailure: return text(waiters.wait(waiter(number), isReady: true, error: Fault()))
    case .cancel: return waiters.cancel(1).map { "\($0.number) " } ?? ""
    case .forget:
      waiters.forget(1)
      return ""
    case .takeFirst: return waiters.takeFirst().map { "\($0.number) " } ?? ""
    case .takeAll: return waiters.takeAll().map { "\($0.number) " }.joined()
    }
  }

  @Test(arguments: Situation.allCases)
  func `each event leads to one state`(situation: Situation) throws {
    for (event, expected) in zip(Event.allCases, try #require(Self.table[situation])) {
      var waiters = waiters(situation)
      let result = apply(event, by: situation == .waiting ? 3 : 1, to: &waiters)
      let state = "\(waiters.waiting.map(\.number)) \(waiters.cancelled.sorted())"
      #expect(result + state == expected, "\(event)")
    }
  }

  @Test func `no two have one number`() {
    var waiters = EnqueueWaiters()
    let numbers = (0..<3).map { _ in waiters.nextNumber() }
    #expect(numbers == [1, 2, 3])
  }
}
