// SPDX-License-Identifier: Apache-2.0

/// The sound went to another device.
///
/// The corresponding notification is `AVAudioSession.routeChangeNotification`.
public struct RouteChange: Hashable, Sendable {
  /// The reason for a change, in the words of `AVAudioSession.RouteChangeReason`.
  public enum Reason: Hashable, Sendable {
    /// A device has appeared that is preferred to the one before.
    case newDeviceAvailable
    /// The device before is there no more, or what was plugged into it is not, as headphones; then `previous` and
    /// `current` may be the same.
    case oldDeviceUnavailable
    /// The user, or this program, chose another one.
    case override
    /// The device is the same and has another format, as after it was plugged in again.
    case routeConfigurationChange
    /// The server has no device to play on, which is waited for.
    case noSuitableRouteForCategory
  }

  /// The reason for the change.
  public let reason: Reason
  /// The name of the device before; nil for none.
  public let previous: String?
  /// The name of the device now; nil for none.
  public let current: String?

  /// True where what the sound was heard on is not plugged in any more.
  package var isUnplugging: Bool {
    previous != nil && (reason == .oldDeviceUnavailable || reason == .noSuitableRouteForCategory)
  }

  /// A change from `previous` to `current`.
  public init(reason: Reason, previous: String?, current: String?) {
    (self.reason, self.previous, self.current) = (reason, previous, current)
  }
}
