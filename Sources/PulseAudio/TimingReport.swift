// SPDX-License-Identifier: Apache-2.0

/// The place of a playback stream at one moment, from a fresh answer of the server.
public struct TimingReport: Hashable, Sendable {
  /// The next frame that the server hands to the sink.
  ///
  /// Advances in the sink's blocks, and past `writeFrame` in an underrun.
  public let readFrame: Int64
  /// The end of the frames that had been written when the server was asked: it had all of them when it
  /// answered, and none of what was written since.
  public let writeFrame: Int64
  /// Time until the frame before `readFrame` has been heard, in nanoseconds; the hardware included.
  public let sinkLatency: Int64
  /// The moment that the rest is true for, in nanoseconds of `HostTime`.
  ///
  /// It is the server's own stamp where its wall clock is this machine's, else the middle between
  /// question and answer.
  public let hostTime: UInt64
  /// Nanoseconds between question and answer.
  public let roundTrip: UInt64
  /// The sink takes frames from this stream: neither corked, suspended nor in an underrun.
  public let isPlaying: Bool
  /// A seek overtook the question: `readFrame` is of no use.
  public let isReadIndexCorrupt: Bool

  /// A report of another origin, as for tests of what works with it.
  public init(
    readFrame: Int64, writeFrame: Int64, sinkLatency: Int64, hostTime: UInt64,
    roundTrip: UInt64 = 0, isPlaying: Bool = true, isReadIndexCorrupt: Bool = false
  ) {
    (self.readFrame, self.writeFrame) = (readFrame, writeFrame)
    (self.sinkLatency, self.hostTime, self.roundTrip) = (sinkLatency, hostTime, roundTrip)
    (self.isPlaying, self.isReadIndexCorrupt) = (isPlaying, isReadIndexCorrupt)
  }

  /// Frames that are heard before `readFrame` is, at `sampleRate`, rounded to the nearest.
  public func framesRenderedAhead(sampleRate: Int) -> Int64 {
    frames(sinkLatency, sampleRate)
  }

  private func frames(_ nanoseconds: Int64, _ sampleRate: Int) -> Int64 {
    Int64(clamping: (Int128(nanoseconds) * Int128(sampleRate) + 500_000_000) / 1_000_000_000)
  }
}
