// SPDX-License-Identifier: Apache-2.0

import Dispatch
import CDispatch
import Glibc

/// The thread that opens and reads files.
///
/// Started by a serializer, which hands it one job after the other; it decodes, and does nothing
/// else.
///
/// A C library may hang in a job for ever. The thread is then given up: its owner lets go of it and
/// starts another, and should the job ever return, this one ends.
final class DecoderThread: @unchecked Sendable {
  typealias Job = @Sendable () -> Void

  // @unchecked: `jobs` and `isOver` are touched only between wait and signal of `semaphore`.
  private let semaphore = DispatchSemaphore(value: 1)
  private let wake = DispatchSemaphore(value: 0)
  private var jobs: [Job] = []
  private var isOver = false

  init() {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    // libvorbis keeps whole blocks of samples on the stack; 1 MiB is a quarter of what it gets by
    // default, and what is not touched costs nothing.
    pthread_attr_setstacksize(&attributes, 1 << 20)
    var thread = pthread_t()
    let me = Unmanaged.passRetained(self).toOpaque()
    let code = pthread_create(
      &thread, &attributes,
      { me in
        let thread = Unmanaged<DecoderThread>.fromOpaque(me!).takeRetainedValue()
        thread.takeName()
        thread.run()
        return nil
      }, me)
    pthread_attr_destroy(&attributes)
    precondition(code == 0, "pthread_create: \(String(cString: strerror(code)))")
  }

  /// Adds a job behind those that wait.
  func perform(_ job: @escaping Job) {
    semaphore.wait()
    jobs.append(job)
    semaphore.signal()
    wake.signal()
  }

  /// Ends the thread after the job under way; those that wait are dropped.
  func end() {
    semaphore.wait()
    isOver = true
    jobs.removeAll()
    semaphore.signal()
    wake.signal()
  }

  /// Shows the thread to top and ps as what it is.
  ///
  /// The Swift overlay of the C library has no `pthread_setname_np`.
  private func takeName() {
    let name = "attacca-decode"
    let file = open("/proc/thread-self/comm", O_WRONLY)
    guard file >= 0 else { return }
    _ = name.withCString { write(file, $0, strlen($0)) }
    Glibc.close(file)
  }

  private func run() {
    while true {
      wake.wait()
      semaphore.wait()
      let job = jobs.isEmpty ? nil : jobs.removeFirst()
      let isOver = self.isOver
      semaphore.signal()
      if isOver { return }
      job?()
    }
  }
}
