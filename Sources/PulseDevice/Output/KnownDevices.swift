// SPDX-License-Identifier: Apache-2.0

import Rendering

/// The devices that there are, and which of them have just appeared: what tells why a sound goes
/// elsewhere.
struct KnownDevices {
  /// A device is new for so many nanoseconds: a server moves streams to it within milliseconds, a
  /// user takes longer.
  static let newness: UInt64 = 2_000_000_000

  private var indices: [String: UInt32] = [:]
  private var appeared: [String: UInt64] = [:]
  private var cameBack: [String: UInt64] = [:]
  private var isFirst = true

  /// Returns true if there is a device of that name.
  func contains(_ name: String) -> Bool { indices[name] != nil }

  /// These are there at host time `now`: the server's indices by names.
  mutating func update(_ devices: [String: UInt32], at now: UInt64) {
    // The first ones have been there before.
    if !isFirst {
      for (name, index) in devices {
        guard let known = indices[name] else {
          appeared[name] = now
          continue
        }
        // It went and came back between two looks, and is another one.
        if known != index { cameBack[name] = now }
      }
    }
    isFirst = false
    indices = devices
    let isNew = { (entry: (key: String, value: UInt64)) in
      devices[entry.key] != nil && now - entry.value < Self.newness
    }
    appeared = appeared.filter(isNew)
    cameBack = cameBack.filter(isNew)
  }

  /// Returns why a sound goes from `previous` to `current` at host time `now`.
  func reason(from previous: String?, to current: String?, at now: UInt64) -> RouteChange.Reason {
    guard let current else { return .noSuitableRouteForCategory }
    if previous == current { return .routeConfigurationChange }
    guard let previous else { return .newDeviceAvailable }
    if !contains(previous) { return .oldDeviceUnavailable }
    if let time = cameBack[previous], now - time < Self.newness { return .oldDeviceUnavailable }
    if let time = appeared[current], now - time < Self.newness { return .newDeviceAvailable }
    return .override
  }
}
