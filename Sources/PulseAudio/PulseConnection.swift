// SPDX-License-Identifier: Apache-2.0
import Preconditions
internal import CPulse
internal import Glibc

/// A connection to one sound server.
///
/// The server may go away at any time. The connection is then of no more use: `onFailure` is called
/// once, calls that need the server throw, and a new connection has to be made.
///
/// `@unchecked Sendable`: the stored variables and `context` are touched with the mainloop's lock
/// held only.
public final class PulseConnection: @unchecked Sendable {
  /// The server that was asked for, as given; `nil` is libpulse's choice.
  public let server: String?

  /// The thread that serves it.
  public let mainloop: PulseMainloop
  let context: OpaquePointer
  /// Streams by the index of their sink input, to which the server's events are handed.
  var streams: [UInt32: Unmanaged<PlaybackStream>] = [:]

  private var isSubscribed = false
  private let onFailure: (@Sendable (PulseError) -> Void)?
  private var devicesChanged: (@Sendable () -> Void)?
  private var tellsStates = false

  /// Connects to a sound server; blocks until it is ready or has failed.
  ///
  /// No server is ever started (`PA_CONTEXT_NOAUTOSPAWN`). A server which takes the connection and
  /// never answers is given up on after libpulse's 30 s.
  ///
  /// - Parameters:
  ///   - mainloop: The thread that serves it, and which is not the caller; `nil` for one of its own.
  ///   - server: As in `PULSE_SERVER`; `nil` is that variable's, or the user's own server.
  ///   - applicationName: What a mixer shows, `application.name`.
  ///   - properties: More `application.*` keys. The user's `PULSE_PROP` is added to them.
  ///   - onFailure: Called once when the server is gone, on the mainloop thread, lock held. Not
  ///     called for a failure that this initializer throws.
  /// - Throws: Where the server cannot be reached; nothing is left open then.
  public init(
    mainloop: PulseMainloop? = nil, server: String? = nil, applicationName: String,
    properties: [String: String] = [:],
    onFailure: (@Sendable (PulseError) -> Void)? = nil
  ) throws(PulseError) {
    let mainloop = if let mainloop { mainloop } else { try PulseMainloop() }
    let context = mainloop.withLock {
      let list = PropertyList(properties)
      return pa_context_new_with_proplist(mainloop.loop.api, applicationName, list.raw)
    }
    guard let context else {
      throw PulseError(
        code: Int32(PA_ERR_INTERNAL.rawValue), call: "pa_context_new",
        subject: Self.subject(server, tried: nil))
    }
    (self.server, self.mainloop, self.context) = (server, mainloop, context)
    self.onFailure = onFailure
    preconditionMayBlock()
    try withLock { () throws(PulseError) in
      mainloop.loop.connecting += 1
      defer { mainloop.loop.connecting -= 1 }
      try connect()
    }
  }

  private func connect() throws(PulseError) {
    pa_context_set_state_callback(
      context, { _, mainloop in Mainloop.signal(mainloop) }, mainloop.loop.opaque)
    guard pa_context_connect(context, server, PA_CONTEXT_NOAUTOSPAWN, nil) >= 0 else {
      // A socket that is not there fails at once.
      let error = PulseError(of: context, call: "pa_context_connect")
      throw PulseError(code: error.code, call: error.call, subject: subject)
    }
    while true {
      let state = pa_context_get_state(context)
      if state == PA_CONTEXT_READY { break }
      guard state != PA_CONTEXT_FAILED && state != PA_CONTEXT_TERMINATED else {
        throw PulseError(
          of: context, call: "pa_context_connect", subject: subject)
      }
      mainloop.wait()
    }
    let me = Unmanaged.passUnretained(self).toOpaque()
    pa_context_set_state_callback(context, PulseConnection.stateChanged, me)
    pa_context_set_subscribe_callback(context, PulseConnection.eventArrived, me)
  }

  /// The address that libpulse tries, or has reached, as in "/run/user/1000/pulse/native".
  private var address: String? { pa_context_get_server(context).map { String(cString: $0) } }

  /// The server's address, and where it comes from, for messages.
  ///
  /// - Parameters:
  ///   - server: The one that was given.
  ///   - tried: The last one that libpulse has tried, by its configuration or as the system's after
  ///     the user's own; nil where it has not come so far.
  /// - Returns: As in "server ‘unix:/run/pulse/native’ of PULSE_SERVER".
  static func subject(_ server: String?, tried: String?) -> String {
    if let server { return "server ‘\(server)’" }
    if let server = getenv("PULSE_SERVER") {
      return "server ‘\(String(cString: server))’ of PULSE_SERVER"
    }
    guard let tried else { return "the user's sound server" }
    // Without any setting the user's own comes first, and then the system's.
    guard tried.hasSuffix("/run/pulse/native"), let own = addressOfUser, own != tried else {
      return "server ‘\(tried)’"
    }
    return "server ‘\(own)’ or ‘\(tried)’"
  }

  /// The socket where libpulse looks for the user's own server.
  private static var addressOfUser: String? {
    let folder = getenv("PULSE_RUNTIME_PATH").map { String(cString: $0) }
    let user = getenv("XDG_RUNTIME_DIR").map { String(cString: $0) + "/pulse" }
    return (folder ?? user).map { $0 + "/native" }
  }

  private var subject: String { Self.subject(server, tried: address) }

  deinit {
    withLock {
      pa_context_set_state_callback(context, nil, nil)
      pa_context_set_subscribe_callback(context, nil, nil)
      mainloop.loop.afterCallbacks { [context] in
        pa_context_disconnect(context)
        pa_context_unref(context)
      }
    }
  }

  // MARK: The lock

  /// Runs `body` with the mainloop's lock held, as `PulseMainloop.withLock`.
  public func withLock<R: ~Copyable, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    try mainloop.withLock(body)
  }

  /// True where the calling thread holds the lock, as the mainloop thread always does.
  public var isLockHeld: Bool { mainloop.isLockHeld }

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
      operation, { _, mainloop in Mainloop.signal(mainloop) }, mainloop.loop.opaque)
    while pa_operation_get_state(operation) == PA_OPERATION_RUNNING { mainloop.wait() }
    guard pa_operation_get_state(operation) == PA_OPERATION_DONE else {
      throw PulseError(of: context, call: call, subject: subject)
    }
  }

  /// A precondition of the calls that wait: the mainloop thread and holders of the lock cannot.
  func preconditionMayBlock(_ call: StaticString = #function) {
    require(!isLockHeld, "\(call) waits for the server, which the lock's holder cannot")
  }

  /// Calls `block` whenever a sink has come, gone, or become the default, or a card has changed, as when something is
  /// plugged in or pulled out, from now on.
  ///
  /// On the mainloop thread, lock held. A second block replaces the first.
  ///
  /// - Parameters:
  ///   - includingState: Also when a sink that stays starts, stops, or gets another format or volume.
  ///   - block: Called without saying what is new.
  public func onDevicesChanged(
    includingState: Bool = false, _ block: @escaping @Sendable () -> Void
  ) {
    withLock {
      (devicesChanged, tellsStates) = (block, includingState)
      subscribe()
    }
  }

  /// Has the server tell of what changes, from the first call on; lock held.
  func subscribe() {
    guard !isSubscribed else { return }
    let mask =
      PA_SUBSCRIPTION_MASK_SINK_INPUT.rawValue | PA_SUBSCRIPTION_MASK_SINK.rawValue
      | PA_SUBSCRIPTION_MASK_CARD.rawValue | PA_SUBSCRIPTION_MASK_SERVER.rawValue
    let operation = pa_context_subscribe(
      context, pa_subscription_mask_t(rawValue: mask), nil, nil)
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
    connection.mainloop.loop.signal()
    let error = PulseError(
      of: context, call: "pa_context_get_state", subject: connection.subject)
    connection.onFailure?(error)
  }

  private static let eventArrived: pa_context_subscribe_cb_t = { _, event, index, me in
    let facility = event.rawValue & PA_SUBSCRIPTION_EVENT_FACILITY_MASK.rawValue
    let isChange =
      event.rawValue & PA_SUBSCRIPTION_EVENT_TYPE_MASK.rawValue
      == PA_SUBSCRIPTION_EVENT_CHANGE.rawValue
    let connection = Unmanaged<PulseConnection>.fromOpaque(me!).takeUnretainedValue()
    switch pa_subscription_event_type_t(rawValue: facility) {
    case PA_SUBSCRIPTION_EVENT_SINK_INPUT:
      if isChange { connection.streams[index]?.takeUnretainedValue().askForVolume() }
    case PA_SUBSCRIPTION_EVENT_SINK:
      // A sink that stays changes whenever it starts, stops, or gets another volume.
      if !isChange || connection.tellsStates { connection.devicesChanged?() }
    // A card changes when something is plugged in or pulled out, or has another profile.
    case PA_SUBSCRIPTION_EVENT_CARD, PA_SUBSCRIPTION_EVENT_SERVER: connection.devicesChanged?()
    default: break
    }
  }
}
