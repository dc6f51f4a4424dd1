// SPDX-License-Identifier: Apache-2.0
internal import CPulse
internal import Dispatch
internal import Glibc
internal import Synchronization

/// A connection to one sound server, and the thread that serves it.
///
/// The thread is PulseAudio's mainloop. It starts with the connection and ends with it; it calls
/// every callback of this module with the lock held, and never decodes, converts or waits.
///
/// The server may go away at any time. The connection is then of no more use: `onFailure` is called
/// once, calls that need the server throw, and a new connection has to be made.
///
/// `@unchecked Sendable`: the stored variables and `context` are touched with the mainloop's lock
/// held only.
public final class PulseConnection: @unchecked Sendable {
  /// The server that was asked for, as given; `nil` is libpulse's choice.
  public let server: String?

  let mainloop: Mainloop
  let context: OpaquePointer
  /// Streams by the index of their sink input, to which the server's events are handed.
  var streams: [UInt32: Unmanaged<PlaybackStream>] = [:]

  private var isSubscribed = false
  private let onFailure: (@Sendable (PulseError) -> Void)?
  /// The thread that holds the lock through `withLock`, 0 for none: only for `isLockHeld`.
  private let owner = Atomic<UInt>(0)

  /// Connects to a sound server; blocks until it is ready or has failed.
  ///
  /// No server is ever started (`PA_CONTEXT_NOAUTOSPAWN`). A server which takes the connection and
  /// never answers is given up on after libpulse's 30 s.
  ///
  /// - Parameters:
  ///   - server: As in `PULSE_SERVER`; `nil` is that variable's, or the user's own server.
  ///   - applicationName: What a mixer shows, `application.name`.
  ///   - properties: More `application.*` keys. The user's `PULSE_PROP` is added to them.
  ///   - onFailure: Called once when the server is gone, on the mainloop thread, lock held. Not
  ///     called for a failure that this initializer throws.
  /// - Throws: Where the server cannot be reached; nothing is left open then.
  public init(
    server: String? = nil, applicationName: String, properties: [String: String] = [:],
    onFailure: (@Sendable (PulseError) -> Void)? = nil
  ) throws(PulseError) {
    let subject = server.map { "server ‘\($0)’" } ?? "the user's sound server"
    guard let mainloop = Mainloop() else {
      throw PulseError(code: Int32(PA_ERR_INTERNAL.rawValue), call: "pa_mainloop_new")
    }
    let list = PropertyList(properties)
    let context = pa_context_new_with_proplist(mainloop.api, applicationName, list.raw)
    guard let context else {
      throw PulseError(
        code: Int32(PA_ERR_INTERNAL.rawValue), call: "pa_context_new", subject: subject)
    }
    (self.server, self.mainloop, self.context) = (server, mainloop, context)
    self.onFailure = onFailure
    try connect(subject)
  }

  private func connect(_ subject: String) throws(PulseError) {
    pa_context_set_state_callback(
      context, { _, mainloop in Mainloop.signal(mainloop) }, mainloop.opaque)
    guard pa_context_connect(context, server, PA_CONTEXT_NOAUTOSPAWN, nil) >= 0 else {
      throw PulseError(of: context, call: "pa_context_connect", subject: subject)
    }
    mainloop.start()
    try withLock { () throws(PulseError) in
      while true {
        let state = pa_context_get_state(context)
        if state == PA_CONTEXT_READY { break }
        guard state != PA_CONTEXT_FAILED && state != PA_CONTEXT_TERMINATED else {
          throw PulseError(of: context, call: "pa_context_connect", subject: subject)
        }
        wait()
      }
      let me = Unmanaged.passUnretained(self).toOpaque()
      pa_context_set_state_callback(context, PulseConnection.stateChanged, me)
      pa_context_set_subscribe_callback(context, PulseConnection.eventArrived, me)
    }
  }

  deinit {
    let parts = Parts(mainloop: mainloop, context: context)
    // A callback may have dropped the last reference. The mainloop cannot stop and free itself.
    if mainloop.isInThread {
      parts.muteCallbacks()
      DispatchQueue(label: "attacca.close").async { parts.close() }
    } else {
      withLock { parts.muteCallbacks() }
      parts.close()
    }
  }

  /// What is left of a connection whose owner is gone.
  ///
  /// `@unchecked Sendable`: handed to the one thread that closes it.
  private struct Parts: @unchecked Sendable {
    let mainloop: Mainloop
    let context: OpaquePointer

    func muteCallbacks() {
      pa_context_set_state_callback(context, nil, nil)
      pa_context_set_subscribe_callback(context, nil, nil)
      pa_context_disconnect(context)
    }

    func close() {
      mainloop.stop()
      pa_context_unref(context)
    }
  }

  /// Lets the server's messages lie unread for as many nanoseconds as `rest` says; lock held.
  ///
  /// It is asked on the mainloop thread before each wait, with the lock held, and must neither
  /// allocate nor wait. What is sent from here ends the rest, as does anyone waiting for an answer;
  /// 0 is for no rest.
  public func setRest(_ rest: @escaping @Sendable () -> UInt64) { mainloop.rest = rest }

  // MARK: The lock

  /// Runs `body` with the mainloop's lock held: no callback runs meanwhile.
  ///
  /// May be nested, and called on the mainloop thread, which holds the lock already. `body` should
  /// take microseconds: the server's requests wait for it.
  /// It corresponds to `pa_threaded_mainloop_lock`.
  public func withLock<R: ~Copyable, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    guard !mainloop.isInThread else { return try body() }
    mainloop.lock()
    let previous = owner.load(ordering: .relaxed)
    owner.store(Self.thisThread, ordering: .relaxed)
    defer {
      owner.store(previous, ordering: .relaxed)
      mainloop.unlock()
    }
    return try body()
  }

  /// Whether the calling thread holds the lock, as the mainloop thread always does.
  public var isLockHeld: Bool {
    mainloop.isInThread || owner.load(ordering: .relaxed) == Self.thisThread
  }

  private static var thisThread: UInt { UInt(pthread_self()) }

  /// Gives the lock up until a callback signals; may return without cause.
  func wait() {
    owner.store(0, ordering: .relaxed)
    mainloop.wait()
    owner.store(Self.thisThread, ordering: .relaxed)
  }

  /// Waits, with the lock held once, until `operation` is done or the server is gone; releases it.
  ///
  /// - Throws: Where there is no operation because the call failed, or it was cancelled because the
  ///   connection failed.
  func wait(
    for operation: OpaquePointer?, call: String, subject: String? = nil
  ) throws(PulseError) {
    guard let operation else { throw PulseError(of: context, call: call, subject: subject) }
    defer { pa_operation_unref(operation) }
    pa_operation_set_state_callback(
      operation, { _, mainloop in Mainloop.signal(mainloop) }, mainloop.opaque)
    while pa_operation_get_state(operation) == PA_OPERATION_RUNNING { wait() }
    guard pa_operation_get_state(operation) == PA_OPERATION_DONE else {
      throw PulseError(of: context, call: call, subject: subject)
    }
  }

  /// A precondition of the calls that wait: the mainloop thread and holders of the lock cannot.
  func preconditionMayBlock(_ call: StaticString = #function) {
    precondition(!isLockHeld, "\(call) waits for the server, which the lock's holder cannot")
  }

  /// Has the server tell of changed sink inputs, from the first call on; lock held.
  func subscribe() {
    guard !isSubscribed else { return }
    let operation = pa_context_subscribe(context, PA_SUBSCRIPTION_MASK_SINK_INPUT, nil, nil)
    guard let operation else { return }
    pa_operation_unref(operation)
    isSubscribed = true
  }

  // MARK: Callbacks

  private static let stateChanged: pa_context_notify_cb_t = { context, me in
    let state = pa_context_get_state(context)
    guard state == PA_CONTEXT_FAILED || state == PA_CONTEXT_TERMINATED else { return }
    let connection = Unmanaged<PulseConnection>.fromOpaque(me!).takeUnretainedValue()
    pa_context_set_state_callback(context, nil, nil)
    connection.mainloop.signal()
    connection.onFailure?(PulseError(of: context, call: "pa_context_get_state", subject: "server"))
  }

  private static let eventArrived: pa_context_subscribe_cb_t = { _, event, index, me in
    let facility = event.rawValue & PA_SUBSCRIPTION_EVENT_FACILITY_MASK.rawValue
    guard facility == PA_SUBSCRIPTION_EVENT_SINK_INPUT.rawValue else { return }
    let kind = event.rawValue & PA_SUBSCRIPTION_EVENT_TYPE_MASK.rawValue
    guard kind == PA_SUBSCRIPTION_EVENT_CHANGE.rawValue else { return }
    let connection = Unmanaged<PulseConnection>.fromOpaque(me!).takeUnretainedValue()
    connection.streams[index]?.takeUnretainedValue().askForVolume()
  }
}
