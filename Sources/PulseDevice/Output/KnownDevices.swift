// SPDX-License-Identifier: Apache-2.0

import Rendering

/// The devices that there are, and which of them have just appeared: what tells why a sound goes
/// elsewhere.
struct KnownDevices {
  /// A device is new for so many nanoseconds: a server moves streams to it within milliseconds, a
  /// user takes longer.
  static let newness: UInt64 = 2_000_000_000

  private(set) var names: Set<String> = []
  private var appeared: [String: UInt64] = [:]
  private var isFirst = true

  /// These are there at host time `now`.
  mutating func update(_ names: Set<String>, at now: UInt64) {
    // The first ones have been there before.
    if !isFirst {
      for name in names.subtracting(self.names) { appeared[name] = now }
    }
    isFirst = false
    self.names = names
    appeared = appeared.filter { names.contains($0.key) && now - $0.value < Self.newness }
  }

  /// Returns why a sound goes from `previous` to `current` at host time `now`.
  func reason(from previous: String?, to current: String?, at now: UInt64) -> RouteChange.Reason {
    guard let current else { return .noSuitableRouteForCategory }
    if previous == current { return .routeConfigurationChange }
    guard let previous else { return .newDeviceAvailable }
    if !names.contains(previous) { return .oldDeviceUnavailable }
    if let time = appeared[current], now - time < Self.newness { return .newDeviceAvailable }
    return .override
  }
}
