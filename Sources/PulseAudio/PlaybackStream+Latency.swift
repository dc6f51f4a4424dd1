// SPDX-License-Identifier: Apache-2.0
import Preconditions
internal import CPulse
internal import SampleBuffers

extension PlaybackStream {
  /// How much the server should hold, and how often it should ask.
  ///
  /// A wish: the server rounds it to the sink's blocks, and `PULSE_LATENCY_MSEC` overrides it.
  /// `targetLength` and `minimumRequest` say what was granted. The sink takes blocks of half of what is
  /// left of `target` beside two requests.
  public struct Latency: Hashable, Sendable {
    /// What the server holds when it is full: `tlength`, sink included.
    public var target: Duration
    /// What must be missing before it asks: `minreq`.
    public var minimumRequest: Duration

    /// - Precondition: `minimumRequest` is positive and at most half of `target`.
    public init(target: Duration, minimumRequest: Duration) {
      require(
        minimumRequest > .zero && minimumRequest * 2 <= target,
        "requests of \(minimumRequest) from a buffer of \(target); more than 0, at most half of it, is permitted"
      )
      (self.target, self.minimumRequest) = (target, minimumRequest)
    }

    /// Longest block that the sink takes, by PulseAudio's rule for `PA_STREAM_ADJUST_LATENCY`.
    public var block: Duration { (target - minimumRequest * 2) / 2 }

    /// 2 s, asked for every 995 ms, in blocks of 5 ms.
    public static let responsive = Latency(
      target: .seconds(2), minimumRequest: .milliseconds(995))
    /// 2 s, asked for every 950 ms, in blocks of 50 ms.
    public static let powerSaving = Latency(
      target: .seconds(2), minimumRequest: .milliseconds(950))
    /// 500 ms, asked for every 245 ms, in blocks of 5 ms.
    public static let balanced = Latency(
      target: .milliseconds(500), minimumRequest: .milliseconds(245))
    /// 60 ms, asked for every 23 ms, in blocks of 7 ms.
    public static let low = Latency(target: .milliseconds(60), minimumRequest: .milliseconds(23))

    /// Blocks as long as any sink takes, 2 s: PulseAudio's sinks go back no further than a block.
    static let deep = Latency(target: .milliseconds(4_020), minimumRequest: .milliseconds(10))

    /// With `prebuf` 0, so that the start is this side's alone, and `maxlength` the server's most.
    func bufferAttributes(_ specification: pa_sample_spec) -> pa_buffer_attr {
      var specification = specification
      return pa_buffer_attr(
        maxlength: .max,
        tlength: UInt32(clamping: pa_usec_to_bytes(target.microseconds, &specification)),
        prebuf: 0,
        minreq: UInt32(clamping: pa_usec_to_bytes(minimumRequest.microseconds, &specification)),
        fragsize: .max)
    }
  }
}

extension Duration {
  /// Whole microseconds, as `pa_usec_t`.
  var microseconds: UInt64 {
    UInt64(components.seconds) * 1_000_000 + UInt64(components.attoseconds / 1_000_000_000_000)
  }
}
