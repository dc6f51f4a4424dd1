// SPDX-License-Identifier: Apache-2.0
internal import CPulse
internal import SampleBuffers

// A wish: the server rounds it to the sink's blocks, and `PULSE_LATENCY_MSEC` overrides it.
extension Latency {
  /// Blocks as long as any sink takes, 2 s: PulseAudio's sinks go back no further than a block.
  static let deep = Latency(targetMilliseconds: 4_020, requestMilliseconds: 10)

  /// With `prebuf` 0, so that the start is this side's alone, and `maxlength` the server's most.
  func bufferAttributes(_ specification: pa_sample_spec) -> pa_buffer_attr {
    var specification = specification
    return pa_buffer_attr(
      maxlength: .max,
      tlength: UInt32(
        clamping: pa_usec_to_bytes(UInt64(targetMilliseconds) * 1_000, &specification)),
      prebuf: 0,
      minreq: UInt32(
        clamping: pa_usec_to_bytes(UInt64(requestMilliseconds) * 1_000, &specification)),
      fragsize: .max)
  }
}
