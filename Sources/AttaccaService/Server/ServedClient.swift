// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// One client of the service: its conversation and its settings; touched on the service's queue.
final class ServedClient {
  var state = ClientState()
  var options: ClientOptions
  var lines = LineBuffer()
  /// Takes bytes for the client; never waits.
  let send: ([UInt8]) -> Void
  /// Tells whether the client takes what it is sent: where it does not, its next commands wait.
  let takesMore: () -> Bool
  /// Ends the connection once all has been sent.
  let close: () -> Void
  /// True from when it is to be left on.
  var isClosing = false
  /// Commands that have begun and are not over; nil for none.
  var running: RunningCommands?
  /// True where it has to read before more is made for it.
  var isBehind: Bool { running != nil || !isClosing && !takesMore() }
  /// Moment of the last whole line, or of the last answer that there was room for.
  var aliveAt = HostTime.now()

  init(
    options: ClientOptions, send: @escaping ([UInt8]) -> Void,
    takesMore: @escaping () -> Bool = { true }, close: @escaping () -> Void
  ) {
    (self.options, self.send, self.takesMore, self.close) = (options, send, takesMore, close)
  }
}
