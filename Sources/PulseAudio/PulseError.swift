// SPDX-License-Identifier: Apache-2.0
internal import CPulse

/// A refusal from the sound server or from the way to it, with the call that met it.
public struct PulseError: Error, Hashable {
  /// PulseAudio's own code, one of `PA_ERR_*`.
  public let code: Int32
  /// The `pa_*` function that failed.
  public let call: String
  /// What it was called for, as in "sink ‘speakers’", or `nil` where the call says it all.
  public let subject: String?

  /// An error of `call` on `subject`.
  public init(code: Int32, call: String, subject: String? = nil) {
    (self.code, self.call, self.subject) = (code, call, subject)
  }

  /// The code that `context` keeps of its last failure.
  ///
  /// To be read with the lock held.
  init(of context: OpaquePointer?, call: String, subject: String? = nil) {
    self.init(code: pa_context_errno(context), call: call, subject: subject)
  }

  /// Whether no server could be reached, or the one there was is gone: trying again may help.
  public var isServerMissing: Bool {
    code == Int32(PA_ERR_CONNECTIONREFUSED.rawValue)
      || code == Int32(PA_ERR_CONNECTIONTERMINATED.rawValue)
      || code == Int32(PA_ERR_INVALIDSERVER.rawValue)
  }

  /// Whether what was asked for, as a sink, is not there.
  public var isNotThere: Bool { code == Int32(PA_ERR_NOENTITY.rawValue) }
}

extension PulseError: CustomStringConvertible {
  /// The call, its subject, PulseAudio's own words for the code, and what can be done about it.
  public var description: String {
    let subject = subject.map { " on \($0)" } ?? ""
    let cause = pa_strerror(code).map { String(cString: $0) } ?? "error \(code)"
    return "\(call)\(subject): \(cause)\(advice)"
  }

  private var advice: String {
    switch pa_error_code(rawValue: UInt32(bitPattern: code)) {
    case PA_ERR_CONNECTIONREFUSED, PA_ERR_INVALIDSERVER:
      """
      ; no sound server answers there: start one (`pulseaudio --start`, or \
      `systemctl --user start pipewire-pulse`) or set PULSE_SERVER to the one to use
      """
    case PA_ERR_CONNECTIONTERMINATED: "; the sound server went away"
    case PA_ERR_ACCESS: "; the server wants this user's cookie: see PULSE_COOKIE"
    case PA_ERR_NOENTITY: "; `pactl list short sinks` tells what there is"
    case PA_ERR_KILLED: "; the server ended it, as when a sink is removed"
    case PA_ERR_TIMEOUT: "; the server did not answer within 30 s"
    default: ""
    }
  }
}
