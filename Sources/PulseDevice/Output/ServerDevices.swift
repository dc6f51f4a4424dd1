// SPDX-License-Identifier: Apache-2.0

/// The devices of the server, and the one that is played on.
struct ServerDevices {
  /// The sink that was played on last.
  var inUse: String?
  var known = KnownDevices()
  var look = DeviceLook.none
  var quirks = ServerQuirks()
  /// True where the wished device was seen while a stream was being opened or took over.
  private var owesReturn = false

  /// Notes that the wished device is there, while another one is played on.
  ///
  /// No other stream is opened while one is being opened or takes over. A device seen then is gone to once that is over,
  /// and once only: a server may have each stream on another sink than was asked for.
  ///
  /// - Parameters:
  ///   - wished: The sink's name; nil for the default, which the server chooses.
  ///   - isBusy: Whether a stream is being opened, or takes over.
  ///   - afterLook: Whether the devices have just been looked at; a stream has taken over otherwise, or will not.
  /// - Returns: whether to go there now.
  mutating func goesToWished(_ wished: String?, isBusy: Bool, afterLook: Bool) -> Bool {
    guard afterLook || owesReturn else { return false }
    owesReturn = false
    guard let wished, wished != inUse, known.names.contains(wished) else { return false }
    owesReturn = isBusy
    return !isBusy
  }
}
