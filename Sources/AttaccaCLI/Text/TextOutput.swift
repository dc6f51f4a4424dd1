// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import Synchronization

/// Writes to a descriptor on a queue of its own, at once and in order: a reader that stalls holds
/// up neither playing nor keys.
final class TextOutput: @unchecked Sendable {
  static let standard = TextOutput(descriptor: STDOUT_FILENO)
  static let errors = TextOutput(descriptor: STDERR_FILENO)

  // @unchecked: `isBroken` is touched only on `queue`.
  private let descriptor: Int32
  private let queue: DispatchQueue
  private let pending = Atomic<Int>(0)
  private var isBroken = false
  let isTerminal: Bool

  private init(descriptor: Int32) {
    self.descriptor = descriptor
    queue = DispatchQueue(label: "attacca.output.\(descriptor)")
    isTerminal = isatty(descriptor) == 1
  }

  /// True where everything has been written.
  var isIdle: Bool { pending.load(ordering: .relaxed) == 0 }

  /// Columns of the terminal, 80 where it does not say.
  var columns: Int {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  func write(_ text: String) {
    pending.add(1, ordering: .relaxed)
    queue.async {
      self.writeNow(text)
      self.pending.subtract(1, ordering: .relaxed)
    }
  }

  /// Waits until everything has been written, at most `seconds` if given.
  func flush(atMost seconds: Double? = nil) {
    let written = DispatchSemaphore(value: 0)
    queue.async { written.signal() }
    _ = written.wait(timeout: seconds.map { .now() + $0 } ?? .distantFuture)
  }

  private func writeNow(_ text: String) {
    guard !isBroken else { return }
    var text = text
    text.withUTF8 { bytes in
      var done = 0
      while done < bytes.count, !isBroken {
        let count = Glibc.write(descriptor, bytes.baseAddress! + done, bytes.count - done)
        if count >= 0 {
          done += count
        } else if errno == EAGAIN {
          // A descriptor shared with someone who made it non-blocking.
          var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          poll(&wait, 1, -1)
        } else if errno != EINTR {
          // The reader is gone; there is no one left to tell.
          isBroken = true
        }
      }
    }
  }
}
