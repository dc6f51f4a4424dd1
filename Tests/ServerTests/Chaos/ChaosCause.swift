// SPDX-License-Identifier: Apache-2.0

/// What an act of chaos, or what was told of one, can do to what is heard.
enum ChaosCause: Equatable {
  /// Nothing that is heard.
  case nothing
  /// What is heard may stop, and go on where it was: a pause, a flush.
  case transport
  /// The server has what is played stop, and go on.
  case interruption
  /// Another stream may go on where this one was.
  case route
  /// An item may begin: what follows, or what is played, is another.
  case item
  /// A place in an item, by its frames.
  case seek(ClosedRange<Int>)
  /// A start at a frame of an item, due at a host time: what of it comes later is heard from where it is by then.
  case start(frame: Int, due: UInt64)
  /// A change came too late by so many frames, which were heard as they were before.
  case late(Int)
  /// The server, the way to it or the disk does not do what it should.
  case fault
  /// The server is up to 200 ms away, each way.
  case distance
  /// The server does nothing for so many frames, and makes up for them: its sinks go on where time is by then.
  case stop(Int)
  /// Frames were given too late, and are heard again from the first of them on, of which some may have been heard.
  case underrun
  /// So many frames that a sink plays were not given to who records it.
  case missed(Int)
  /// The stream is lost, with what has been heard of it since the server's last answer.
  case loss
  /// Nobody hears one of the sinks.
  case deafness
  /// What is heard does not name itself, or is not in order: another rate, a volume, a loop.
  case oddity

  /// True where the server, the way to it or the disk does not do what it should.
  var isFault: Bool {
    switch self {
    case .fault, .distance, .stop, .loss: true
    default: false
    }
  }
}

extension [ChaosCause] {
  /// Frames that changes came too late by.
  var late: Int { reduce(0) { if case .late(let frames) = $1 { $0 + frames } else { $0 } } }
  /// Frames that recorders were not given.
  var missed: Int { reduce(0) { if case .missed(let frames) = $1 { $0 + frames } else { $0 } } }
}
