// SPDX-License-Identifier: Apache-2.0

import Preconditions
import CDispatch
import Glibc

/// A thread that top and ps show by name.
package enum NamedThread {
  /// Starts `body` on a thread of its own, which nobody joins.
  ///
  /// The corresponding call is `pthread_create`.
  ///
  /// - Parameters:
  ///   - name: Up to 15 bytes.
  ///   - stackSize: In bytes; what is not touched costs nothing.
  ///   - body: What the thread does; it ends with it.
  package static func start(
    _ name: String, stackSize: Int, body: @escaping @Sendable () -> Void
  ) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    pthread_attr_setstacksize(&attributes, stackSize)
    var thread = pthread_t()
    let start = Unmanaged.passRetained(Start(name: name, body: body)).toOpaque()
    let code = pthread_create(
      &thread, &attributes,
      { start in
        NamedThread.run(Unmanaged<Start>.fromOpaque(start!).takeRetainedValue())
        return nil
      }, start)
    pthread_attr_destroy(&attributes)
    require(code == 0, "pthread_create: \(String(cString: strerror(code)))")
  }

  /// The work that a thread is started with, and its name.
  private final class Start: Sendable {
    let name: String
    let body: @Sendable () -> Void

    init(name: String, body: @escaping @Sendable () -> Void) {
      (self.name, self.body) = (name, body)
    }
  }

  private static func run(_ start: Start) {
    takeName(start.name)
    start.body()
  }

  /// The Swift overlay of the C library has no `pthread_setname_np`.
  private static func takeName(_ name: String) {
    let file = open("/proc/thread-self/comm", O_WRONLY)
    guard file >= 0 else { return }
    _ = name.withCString { write(file, $0, strlen($0)) }
    close(file)
  }
}
