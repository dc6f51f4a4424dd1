// SPDX-License-Identifier: Apache-2.0
import MediaTime
import Preconditions
internal import CPulse
internal import Dispatch
internal import Glibc
internal import SampleBuffers
internal import Synchronization

/// The thread that serves a connection, and its lock.
///
/// It does what `pa_threaded_mainloop` does, and can let the server's messages lie for a while: a
/// server tells of every 64 KB block that it has played, which nobody needs to know at once. With
/// 2 s of sound in the server's memory, 9 wakeups a second become 3.
final class Mainloop: @unchecked Sendable {
  // @unchecked: everything mutable is touched only with the lock held; libpulse's calls on
  // `raw` are made for other threads that hold it.
  private let raw: OpaquePointer
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let signalled = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private let thread = Atomic<UInt>(0)
  private let hasEnded = DispatchSemaphore(value: 0)
  private var isStarted = false
  private var waiting = 0
  private var lastLook: UInt64 = 0
  /// Nanoseconds for which the server's messages may lie unread, asked before each wait; lock held.
  ///
  /// What this side sends ends the rest.
  var rest: (() -> UInt64)?
  /// Connections that are being made; lock held.
  ///
  /// Meanwhile what a server has said that is gone is thrown away. libpulse 16 goes round for good, with the lock
  /// held, where it is offered shared memory to speak through and its answer finds nobody: `pa_pstream_unlink`
  /// waits until that memory is given up, which only memory in use ever is.
  var connecting = 0
  /// Work that waits until libpulse is out of a callback, oldest first; lock held.
  private var postponed: [() -> Void] = []
  /// Runs `postponed`, once enabled.
  private var postponedEvent: OpaquePointer?

  /// A mainloop whose thread has not started; nil without memory or files for its pipe.
  init?() {
    guard let raw = pa_mainloop_new() else { return nil }
    self.raw = raw
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_RECURSIVE))
    // The thread may run at a higher priority than those that it waits for.
    pthread_mutexattr_setprotocol(&attributes, Int32(PTHREAD_PRIO_INHERIT))
    let code = pthread_mutex_init(mutex, &attributes)
    require(code == 0, "pthread_mutex_init: \(String(cString: strerror(code)))")
    pthread_mutexattr_destroy(&attributes)
    pthread_cond_init(signalled, nil)
    pa_mainloop_set_poll_func(
      raw,
      { files, count, timeout, me in
        Unmanaged<Mainloop>.fromOpaque(me!)._withUnsafeGuaranteedRef {
          $0.poll(files!, count, timeout)
        }
      }, Unmanaged.passUnretained(self).toOpaque())
    let event = api.pointee.defer_new(
      api,
      { api, event, me in
        api!.pointee.defer_enable(event, 0)
        Unmanaged<Mainloop>.fromOpaque(me!)._withUnsafeGuaranteedRef { $0.runPostponed() }
      }, Unmanaged.passUnretained(self).toOpaque())
    api.pointee.defer_enable(event, 0)
    postponedEvent = event
  }

  deinit {
    pa_mainloop_free(raw)
    pthread_cond_destroy(signalled)
    pthread_mutex_destroy(mutex)
    signalled.deallocate()
    mutex.deallocate()
  }

  /// Functions that a context is made with.
  var api: UnsafeMutablePointer<pa_mainloop_api> { pa_mainloop_get_api(raw) }

  /// For callbacks of libpulse that do nothing but `signal()`.
  var opaque: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  /// `signal()` on the mainloop whose `opaque` is given.
  static func signal(_ opaque: UnsafeMutableRawPointer?) {
    Unmanaged<Mainloop>.fromOpaque(opaque!)._withUnsafeGuaranteedRef { $0.signal() }
  }

  // MARK: The thread

  /// Starts the thread; the corresponding call is `pa_threaded_mainloop_start`.
  func start() {
    isStarted = true
    // libpulse formats its messages and reads its files on this stack.
    NamedThread.start("pulse-mainloop", stackSize: 512 << 10) { [self] in
      thread.store(UInt(pthread_self()), ordering: .relaxed)
      lock()
      pa_mainloop_run(raw, nil)
      runPostponed()
      unlock()
      hasEnded.signal()
    }
  }

  /// Ends the thread and waits for it; not on it, nor with the lock held.
  func stop() {
    guard isStarted else { return }
    lock()
    pa_mainloop_quit(raw, 0)
    unlock()
    hasEnded.wait()
  }

  /// True where the caller is the thread.
  var isInThread: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

  // MARK: The lock

  func lock() { pthread_mutex_lock(mutex) }

  func unlock() { pthread_mutex_unlock(mutex) }

  /// Gives the lock, held once, up until a callback signals; may return without cause.
  func wait() {
    waiting += 1
    pthread_cond_wait(signalled, mutex)
    waiting -= 1
  }

  /// Ends the `wait()` of every thread.
  func signal() {
    if waiting > 0 { pthread_cond_broadcast(signalled) }
  }

  // MARK: After callbacks

  /// Does `work` as soon as libpulse is not in a callback: at once on threads that wait for the lock,
  /// and before the lock is given up on the mainloop's own.
  ///
  /// Lock held. A context or stream that is disconnected in a callback of its own calls again: a
  /// stream that the server has ended is told as `FAILED`, in that state libpulse ignores the removal
  /// of callbacks, and the end of its context has it told once more as `TERMINATED`, to whoever was
  /// freed meanwhile. So what ends contexts and streams goes through here.
  func afterCallbacks(_ work: @escaping () -> Void) {
    guard isInThread else { return work() }
    postponed.append(work)
    // Dispatched before the next `poll`, which it ends if the thread is there.
    api.pointee.defer_enable(postponedEvent, 1)
  }

  private func runPostponed() {
    while !postponed.isEmpty {
      let due = postponed
      postponed = []
      for work in due { work() }
    }
  }

  // MARK: Waiting for the server

  /// On the thread, with the lock held, which is given up meanwhile.
  private func poll(
    _ files: UnsafeMutablePointer<pollfd>, _ count: UInt, _ timeout: Int32
  ) -> Int32 {
    let rest = restLeft(files, count)
    unlock()
    defer {
      lock()
      lastLook = HostTime.now()
      if connecting > 0 { forgetLastWords(files, Int(count)) }
    }
    if rest > 0 {
      let milliseconds = Int32(clamping: (rest + 999_999) / 1_000_000)
      let code = lie(files, Int(count), timeout < 0 ? milliseconds : min(timeout, milliseconds))
      guard code >= 0 else { return code }
      return Glibc.poll(files, nfds_t(count), 0)
    }
    return Glibc.poll(files, nfds_t(count), timeout)
  }

  /// The beginning of a packet's rest that offers memory: `PA_COMMAND_REGISTER_MEMFD_SHMID`; no header begins so.
  private static let offeredMemory: [UInt8] = [UInt8(ascii: "L"), 0, 0, 0, 103]

  /// Empties the sockets of servers that are gone: libpulse reads these to their end, `POLLIN` or not.
  ///
  /// Not of the rest of a packet whose header has been read, and a file of the server's memory with it: libpulse 16
  /// closes that with the whole packet only.
  private func forgetLastWords(_ files: UnsafeMutablePointer<pollfd>, _ count: Int) {
    withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 1) { words in
      for i in 0..<count where files[i].revents & Int16(POLLHUP) != 0 {
        let peeked = recv(files[i].fd, words.baseAddress!, 5, Int32(MSG_DONTWAIT | MSG_PEEK))
        if peeked == 5, words.prefix(5).elementsEqual(Self.offeredMemory) { continue }
        while recv(files[i].fd, words.baseAddress!, words.count, Int32(MSG_DONTWAIT)) > 0 {}
      }
    }
  }

  /// Waits for other threads, which wake this one through the first file, a pipe, and for a server's
  /// death: that is told of every file, whatever is asked.
  ///
  /// Messages are not asked for.
  private func lie(
    _ files: UnsafeMutablePointer<pollfd>, _ count: Int, _ milliseconds: Int32
  ) -> Int32 {
    withUnsafeTemporaryAllocation(of: pollfd.self, capacity: count) { watched in
      for i in 0..<count {
        let events = i == 0 ? files[i].events : 0
        watched.initializeElement(at: i, to: pollfd(fd: files[i].fd, events: events, revents: 0))
      }
      return Glibc.poll(watched.baseAddress!, nfds_t(count), milliseconds)
    }
  }

  private func restLeft(_ files: UnsafeMutablePointer<pollfd>, _ count: UInt) -> UInt64 {
    guard waiting == 0, let rest = rest?(), rest > 0 else { return 0 }
    // Something is still to be sent.
    for i in 0..<Int(count) where files[i].events & Int16(POLLOUT) != 0 { return 0 }
    let end = lastLook + rest
    let now = HostTime.now()
    return end > now ? end - now : 0
  }
}
