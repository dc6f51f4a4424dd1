// SPDX-License-Identifier: Apache-2.0

import MediaTime

// The three facts that a state is.
extension PulseDeviceState {
  /// The stream, and what it is in the middle of.
  enum Phase: Hashable {
    /// There is none; `link` says what is done about it.
    case absent
    /// A stream is there, and is given what the line has.
    case held
    /// The stream is corked, and is asked where it stands: from there on the line is written again.
    case rewinding(StreamRewind)
    /// It is corked for another stream, which takes over once this one has told where it stopped; and what
    /// this one was to play again.
    case handingOver(StreamRewind?)
  }

  /// The wish that the stream runs, up to a last frame where there is one.
  enum Transport: Hashable {
    case stopped
    /// The server is to let the stream run, once there is something to hear.
    case uncorkDue(until: StreamFrame?)
    /// The stream is to run once the server's policy lets it, and is corked until then.
    case withheld(until: StreamFrame?)
    /// The stream has run since a host time; nil where that is not known: another one may have corked it.
    case running(since: UInt64?, until: StreamFrame?)
  }

  /// Reasons of the server for which the stream stands still, whatever is wanted of the stream here.
  struct Interruptions: OptionSet, Hashable {
    let rawValue: Int
    /// The sink takes no frames.
    static let suspension = Interruptions(rawValue: 1)
    /// The server wants the stream to be corked, as for a phone call.
    static let policy = Interruptions(rawValue: 2)
  }
}
