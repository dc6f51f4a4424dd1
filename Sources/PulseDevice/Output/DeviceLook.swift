// SPDX-License-Identifier: Apache-2.0

/// The state of the question to the server for its devices.
///
/// A pure state machine. A move of the stream is looked at even while a look is under way, so that two may be.
enum DeviceLook: Hashable, CaseIterable {
  case none
  case underWay
  /// Devices changed while they were being looked at.
  case outdated
  /// No look is under way, and devices have changed since the last one began.
  case owed

  /// Devices may have changed, or the stream has moved.
  ///
  /// - Returns: whether to look.
  mutating func wanted(afterMove: Bool) -> Bool {
    switch self {
    case .none, .owed: break
    case .underWay, .outdated:
      // A look that is under way may not have seen a move.
      guard afterMove else {
        self = .outdated
        return false
      }
    }
    self = .underWay
    return true
  }

  /// A look is over, or has brought nothing.
  ///
  /// - Returns: whether to look again.
  mutating func ended() -> Bool {
    switch self {
    case .none, .underWay:
      self = .none
      return false
    case .outdated, .owed:
      self = .owed
      return true
    }
  }
}
