// SPDX-License-Identifier: Apache-2.0
internal import CPulse

/// A refusal from the sound server or from the way to it, with the call that met it.
public struct PulseError: Error, Hashable {
  /// The kinds of refusal that a caller can do something about.
  public enum Reason: String, Hashable, Sendable, CaseIterable {
    /// No server answers at the address.
    case serverMissing
    /// The server has ended the connection, as by its own end.
    case serverGone
    /// The address is none.
    case invalidAddress
    /// The server wants another cookie, or another user.
    case accessDenied
    /// The server speaks another version of the protocol, or another protocol.
    case incompatible
    /// The thing that was named, as a sink, does not exist.
    case notThere
    /// The server does not take what was asked for, as a format.
    case unsupported
    /// The server has ended the stream, as when its sink is removed.
    case ended
    /// The server has not answered within 30 s.
    case unresponsive
    /// Anything else, as a lack of memory.
    case other
  }

  /// PulseAudio's own code, one of `PA_ERR_*`.
  public let code: Int32
  /// The `pa_*` function that failed.
  public let call: String
  /// The thing it was called for, as in "sink ‘speakers’", or `nil` where the call says it all.
  public let subject: String?

  /// An error of `call` on `subject`.
  public init(code: Int32, call: String, subject: String? = nil) {
    (self.code, self.call, self.subject) = (code, call, subject)
  }

  /// The error of `call`, which the server has taken and not answered.
  package static func unanswered(_ call: String, subject: String) -> PulseError {
    PulseError(code: Int32(PA_ERR_TIMEOUT.rawValue), call: call, subject: subject)
  }

  /// The code that `context` keeps of its last failure.
  ///
  /// To be read with the lock held.
  init(of context: OpaquePointer?, call: String, subject: String? = nil) {
    self.init(code: pa_context_errno(context), call: call, subject: subject)
  }

  /// The class that `code` belongs to.
  public var reason: Reason {
    switch pa_error_code(rawValue: UInt32(bitPattern: code)) {
    case PA_ERR_CONNECTIONREFUSED: .serverMissing
    case PA_ERR_CONNECTIONTERMINATED: .serverGone
    case PA_ERR_INVALIDSERVER: .invalidAddress
    case PA_ERR_ACCESS, PA_ERR_AUTHKEY: .accessDenied
    case PA_ERR_VERSION, PA_ERR_PROTOCOL, PA_ERR_OBSOLETE, PA_ERR_NOTIMPLEMENTED,
      PA_ERR_NOEXTENSION:
      .incompatible
    case PA_ERR_NOENTITY: .notThere
    case PA_ERR_INVALID, PA_ERR_NOTSUPPORTED: .unsupported
    case PA_ERR_KILLED: .ended
    case PA_ERR_TIMEOUT: .unresponsive
    default: .other
    }
  }

  /// True where no server could be reached, or the one there was is gone.
  public var isServerMissing: Bool {
    reason == .serverMissing || reason == .serverGone || reason == .invalidAddress
  }

  /// True where what was asked for, as a sink, is not there.
  public var isNotThere: Bool { reason == .notThere }
}

extension PulseError: CustomStringConvertible, CustomDebugStringConvertible {
  /// The subject, the cause, and a way out where there is one, as in "sink ‘nowhere’: not there".
  public var description: String {
    let advice = advice.map { "; \($0)" } ?? ""
    return "\(subject ?? "the sound server"): \(cause)\(advice)"
  }

  /// `description` with the call and the code that it met.
  public var debugDescription: String { "\(description) (\(call), code \(code))" }

  /// The cause alone, as in "access denied".
  public var cause: String {
    switch reason {
    case .serverMissing: "no sound server answers there"
    case .serverGone: "the sound server went away"
    case .invalidAddress: "not an address of a sound server"
    case .accessDenied: "access denied"
    case .incompatible: "the server speaks another version of the protocol"
    case .notThere: "not there"
    case .unsupported: "not supported by the server"
    case .ended: "ended by the sound server, as when a device is removed"
    case .unresponsive: "no answer within 30 s"
    case .other:
      pa_strerror(code).map { String(cString: $0).lowercasingFirst } ?? "error \(code)"
    }
  }

  /// A way out, as in "see PULSE_COOKIE"; `nil` where there is none.
  public var advice: String? {
    switch reason {
    case .serverMissing:
      """
      start one (`pulseaudio --start`, or `systemctl --user start pipewire-pulse`) or set \
      PULSE_SERVER to the one to use
      """
    case .invalidAddress: "set PULSE_SERVER to one, as in ‘unix:/run/user/1000/pulse/native’"
    case .accessDenied: "the server wants this user's cookie: see PULSE_COOKIE"
    case .serverGone, .incompatible, .notThere, .unsupported, .ended, .unresponsive, .other: nil
    }
  }
}

extension String {
  fileprivate var lowercasingFirst: String { prefix(1).lowercased() + dropFirst() }
}
