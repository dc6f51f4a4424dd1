// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import Synchronization

/// Ends a measurement when a signal asks for it: the servers and folders end with the process, a
/// player that was started is ended here.
final class BenchInterruption: Sendable {
  private let player = Atomic<pid_t>(0)

  /// Signals are caught until the result is released.
  func catchSignals() -> SignalSources {
    let signals = SignalSources(queue: DispatchQueue(label: "attacca.bench"))
    signals.on(SIGINT, SIGTERM, SIGHUP) { [self] in
      let player = player.load(ordering: .acquiring)
      if player > 0 { kill(player, SIGTERM) }
      BenchProgress().clear()
      TextOutput.standard.flush(atMost: 1)
      TextOutput.errors.flush(atMost: 1)
      _exit(ExitStatus.signalled.rawValue)
    }
    return signals
  }

  /// Has `process` end with this one; nil once it has ended by itself.
  func follow(_ process: pid_t?) { player.store(process ?? 0, ordering: .releasing) }
}
