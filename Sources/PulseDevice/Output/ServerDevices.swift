// SPDX-License-Identifier: Apache-2.0

import Rendering

/// The devices of the server, and the one that is played on.
struct ServerDevices {
  /// The sink that was played on last.
  var inUse: String?
  var known = KnownDevices()
  /// The connector of the sink that is played on.
  var port = PlayedPort()
  var look = DeviceLook.none
  var quirks = ServerQuirks()
  /// True where the wished device was seen while a stream was being opened or took over.
  private var owesReturn = false
  /// The sink that a stream which followed the default was moved to while another one was the default, and when.
  private var leftDefault: (sink: String, hostTime: UInt64)?
  /// Nanoseconds in which a server that moves streams to a new default has named that; a user takes longer.
  private static let naming: UInt64 = 2_000_000_000

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
    guard let wished, wished != inUse, known.contains(wished) else { return false }
    owesReturn = isBusy
    return !isBusy
  }

  /// The device that is wished once the server, or the user through it, has moved the stream to `sink`.
  ///
  /// - Parameters:
  ///   - sink: The sink's name.
  ///   - isDefault: Whether it is the default one.
  ///   - wished: The device that was wished; nil for the default.
  ///   - now: Nanoseconds of `HostTime`.
  /// - Returns: its name, or nil for the default.
  mutating func wish(
    afterMoveTo sink: String, isDefault: Bool, wished: String?, at now: UInt64
  ) -> String? {
    leftDefault = nil
    guard wished == nil else { return sink }
    if isDefault { return nil }
    leftDefault = (sink, now)
    return sink
  }

  /// A device has been wished here, whatever the default will be.
  mutating func wasChosen() { leftDefault = nil }

  /// The device that is wished where `sink` is the default.
  ///
  /// PipeWire's session manager moves streams to a new default, at times before the server names that as the
  /// default: the user was said to have chosen it.
  ///
  /// - Parameters: as for `wish(afterMoveTo:isDefault:wished:at:)`.
  /// - Returns: its name, or nil for the default.
  mutating func wish(whereDefaultIs sink: String?, wished: String?, at now: UInt64) -> String? {
    guard let left = leftDefault, left.sink == wished, now - left.hostTime < Self.naming else {
      leftDefault = nil
      return wished
    }
    guard left.sink == sink else { return wished }
    leftDefault = nil
    return nil
  }

  /// The consequence of a move of the stream by the server, for the frames that it was given.
  enum MoveStep: Hashable {
    /// The stream goes on there.
    case goOn
    /// The stream goes back to where it stands.
    case goBack
    /// The stream goes back to what was heard for certain when it was moved.
    case goBackToHeard
    /// A stream of the sink's own format takes over; the server converts meanwhile.
    case open
  }

  /// Returns the step that follows a move.
  ///
  /// - Parameters:
  ///   - isSameFormat: Whether the sink takes frames as the stream has them; nil where the sink is not known.
  ///   - holdsSilence: Whether the sink has taken silence for longer than 50 ms, which it gives back to a stream
  ///     that starts.
  ///   - reason: Why the sound goes there.
  /// - Returns: what the stream does.
  func step(
    afterMove isSameFormat: Bool?, holdsSilence: Bool, reason: RouteChange.Reason
  ) -> MoveStep {
    if isSameFormat == false { return .open }
    if holdsSilence { return .goBack }
    return !quirks.movesAll && reason == .oldDeviceUnavailable ? .goBackToHeard : .goOn
  }
}
