// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import Testing

@testable import AttaccaCLI

@Suite(.serialized) struct SignalTests {
  /// Has `signal` come on this thread, at once.
  private func take(_ signal: Int32) {
    var (one, before) = (sigset_t(), sigset_t())
    sigemptyset(&one)
    sigaddset(&one, signal)
    pthread_sigmask(SIG_UNBLOCK, &one, &before)
    raise(signal)
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }

  @Test func `no signal is lost, not one that comes at once`() {
    for turn in 0..<1_000 {
      let called = DispatchSemaphore(value: 0)
      let signals = SignalSources(queue: DispatchQueue(label: "attacca.signals"))
      signals.on(SIGUSR2) { called.signal() }
      take(SIGUSR2)
      guard called.wait(timeout: .now() + 20) == .success else {
        Issue.record("signal \(turn) was lost")
        return
      }
    }
  }

  @Test func `a signal is what it was once nobody listens`() {
    var (before, after) = (sigaction(), sigaction())
    sigaction(SIGUSR2, nil, &before)
    let signals = SignalSources(queue: DispatchQueue(label: "attacca.signals"))
    signals.on(SIGUSR2) {}
    withExtendedLifetime(signals) {}
    _ = consume signals
    sigaction(SIGUSR2, nil, &after)
    #expect(
      unsafeBitCast(before.__sigaction_handler.sa_handler, to: Int.self)
        == unsafeBitCast(after.__sigaction_handler.sa_handler, to: Int.self))
  }
}
