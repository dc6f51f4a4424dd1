// SPDX-License-Identifier: Apache-2.0
internal import CPulse
internal import Dispatch
internal import Glibc
internal import Synchronization

/// The thread that serves connections, and its lock.
///
/// It calls every callback of this module with the lock held. Connections that come and go, as when
/// a server is restarted, may share one: thread and lock stay. It ends with the last reference.
public final class PulseMainloop: Sendable {
  let loop: Mainloop
  /// The thread that holds the lock through `withLock`, 0 for none: only for `isLockHeld`.
  private let owner = Atomic<UInt>(0)

  /// Starts a thread.
  ///
  /// - Throws: Where there is no memory, or no file for its pipe.
  public init() throws(PulseError) {
    guard let loop = Mainloop() else {
      throw PulseError(code: Int32(PA_ERR_INTERNAL.rawValue), call: "pa_mainloop_new")
    }
    self.loop = loop
    loop.start()
  }

  deinit {
    // A callback may have dropped the last reference. The thread cannot wait for its own end.
    if loop.isInThread {
      DispatchQueue(label: "attacca.close").async { [loop] in loop.stop() }
    } else {
      loop.stop()
    }
  }

  /// Lets the servers' messages lie unread for as many nanoseconds as `rest` says; lock held.
  ///
  /// It is asked on the mainloop thread before each wait, with the lock held, and must neither
  /// allocate nor wait. What is sent from here ends the rest, as does anyone waiting for an answer,
  /// and the death of a server; 0 is for no rest.
  public func setRest(_ rest: @escaping @Sendable () -> UInt64) { loop.rest = rest }

  /// Runs `body` with the lock held: no callback runs meanwhile.
  ///
  /// May be nested, and called on the mainloop thread, which holds the lock already. `body` should
  /// take microseconds: the server's requests wait for it.
  /// It corresponds to `pa_threaded_mainloop_lock`.
  public func withLock<R: ~Copyable, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    guard !loop.isInThread else { return try body() }
    loop.lock()
    let previous = owner.load(ordering: .relaxed)
    owner.store(Self.thisThread, ordering: .relaxed)
    defer {
      owner.store(previous, ordering: .relaxed)
      loop.unlock()
    }
    return try body()
  }

  /// True where the calling thread holds the lock, as the mainloop thread always does.
  public var isLockHeld: Bool {
    loop.isInThread || owner.load(ordering: .relaxed) == Self.thisThread
  }

  private static var thisThread: UInt { UInt(pthread_self()) }

  /// Gives the lock, held once, up until a callback signals; may return without cause.
  func wait() {
    owner.store(0, ordering: .relaxed)
    loop.wait()
    owner.store(Self.thisThread, ordering: .relaxed)
  }
}
