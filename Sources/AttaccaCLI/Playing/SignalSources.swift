// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc

/// Turns signals into calls on a queue, until it is released.
final class SignalSources {
  private let queue: DispatchQueue
  private var sources: [any DispatchSourceSignal] = []

  init(queue: DispatchQueue) { self.queue = queue }

  deinit {
    for source in sources { source.cancel() }
  }

  /// Calls `body` for each of `numbers` instead of what the system would do.
  func on(_ numbers: Int32..., call body: @escaping @Sendable () -> Void) {
    for number in numbers {
      // Who starts a program with SIGHUP ignored, as nohup does, wants it so.
      let previous = signal(number, SIG_IGN)
      if number == SIGHUP, previous.map({ unsafeBitCast($0, to: Int.self) }) == 1 { continue }
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler(handler: body)
      source.resume()
      sources.append(source)
    }
  }
}
