// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc

/// Calls on a queue for signals, until it is released.
///
/// A signal's handler writes to a pipe that the queue reads. Dispatch's own sources have a signal ignored
/// until their manager's thread has heard of them: one that comes before is lost.
final class SignalSources {
  private let queue: DispatchQueue
  private var sources: [any DispatchSourceRead] = []
  private var previous: [(signal: Int32, action: sigaction)] = []

  // Written before a signal's handler is installed and after it is gone.
  /// Write ends of the pipes, by their signal's number; -1 where there is none.
  private nonisolated(unsafe) static let writeEnds: UnsafeMutablePointer<Int32> = {
    let ends = UnsafeMutablePointer<Int32>.allocate(capacity: 65)
    ends.initialize(repeating: -1, count: 65)
    return ends
  }()

  /// `SIG_IGN`.
  private static let ignored = 1

  init(queue: DispatchQueue) { self.queue = queue }

  deinit {
    for (signal, var action) in previous {
      sigaction(signal, &action, nil)
      Self.writeEnds[Int(signal)] = -1
    }
    for source in sources { source.cancel() }
  }

  /// Calls `body` for each of `numbers` instead of what the system would do, from now on.
  ///
  /// On a thread that stays: it is the one that takes them.
  func on(_ numbers: Int32..., call body: @escaping @Sendable () -> Void) {
    for number in numbers {
      var current = sigaction()
      sigaction(number, nil, &current)
      // Who starts a program with SIGHUP ignored, as nohup does, wants it so.
      let handler = unsafeBitCast(current.__sigaction_handler.sa_handler, to: Int.self)
      if number == SIGHUP, handler == Self.ignored { continue }
      let ends = Self.makePipe()
      let source = DispatchSource.makeReadSource(fileDescriptor: ends.read, queue: queue)
      source.setEventHandler {
        // Signals that came together are one, as the system has it.
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) {
          while read(ends.read, $0.baseAddress, 64) == 64 {}
        }
        body()
      }
      source.setCancelHandler {
        close(ends.read)
        close(ends.write)
      }
      source.resume()
      sources.append(source)
      previous.append((number, current))
      Self.writeEnds[Int(number)] = ends.write
      var action = sigaction()
      action.sa_flags = SA_RESTART
      action.__sigaction_handler.sa_handler = { number in
        let error = errno
        var one: UInt8 = 1
        // Full, it says enough.
        _ = write(SignalSources.writeEnds[Int(number)], &one, 1)
        errno = error
      }
      sigaction(number, &action, nil)
      // Who starts a program may leave its own thread's mask behind, and Dispatch's threads have all blocked.
      var one = sigset_t()
      sigemptyset(&one)
      sigaddset(&one, number)
      pthread_sigmask(SIG_UNBLOCK, &one, nil)
    }
  }

  private static func makePipe() -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    let result = pipe(&ends)
    precondition(result == 0, "pipe: errno \(errno)")
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    return (ends[0], ends[1])
  }
}
