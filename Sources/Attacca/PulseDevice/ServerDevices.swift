// SPDX-License-Identifier: Apache-2.0

/// The devices of the server, and the one that is played on.
struct ServerDevices {
  /// The sink that was played on last.
  var inUse: String?
  var known = KnownDevices()
  var look = DeviceLook.none
  var quirks = ServerQuirks()
}
