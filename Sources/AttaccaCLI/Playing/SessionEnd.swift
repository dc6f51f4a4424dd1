// SPDX-License-Identifier: Apache-2.0

/// The end of a session, which several things ask for: a pure state machine.
struct SessionEnd: Equatable {
  /// The step that follows a wish to end; the status follows from what has played where none `isDecided` on.
  enum Step: Equatable {
    case none
    /// The sound fades out first; then the session is over.
    case fade(isDecided: Bool)
    case finish(isDecided: Bool)
  }

  private enum State: Equatable {
    case playing
    /// A status was decided on, and what is heard fades out.
    case fading
    /// A signal asked for the end.
    case signalled
  }

  private var state = State.playing
  /// The status that was decided on.
  private(set) var status = ExitStatus.done

  /// Asks for the end.
  ///
  /// - Parameters:
  ///   - fades: Whether there may be something to fade.
  ///   - status: The status that the session ends with; nil for the one that follows from what has played.
  /// - Returns: the step that is due.
  mutating func end(fades: Bool, status: ExitStatus? = nil) -> Step {
    let isFading = state != .playing
    if let status, !isFading || status == .signalled { self.status = status }
    let isDecided = status != nil || isFading
    guard fades else { return .finish(isDecided: isDecided) }
    guard !isFading else { return .none }
    if status != nil { state = .fading }
    return .fade(isDecided: isDecided)
  }

  /// A signal asks for the end.
  ///
  /// - Returns: nil where it is the second one: the process is to end at once, whatever it is that hangs.
  mutating func signalled() -> Step? {
    guard state != .signalled else { return nil }
    let step = end(fades: true, status: .signalled)
    state = .signalled
    return step
  }

  /// Decides the status by what has played.
  mutating func conclude(played: Int, failed: Int) {
    status = ExitStatus(played: played, failed: failed)
  }
}
