// SPDX-License-Identifier: Apache-2.0

public import SampleBuffers

/// A bus that plays in real time into nothing, paced by the host's clock: for machines without sound.
public final class NullBus: AudioBus, @unchecked Sendable {
  // @unchecked: adds no state to its superclass.

  /// A bus of `format`.
  public init(
    format: AudioFormat = AudioFormat(sampleRate: 48_000, layout: .stereo),
    latency: Latency = .responsive
  ) {
    super.init(device: NullDevice(format: format, latency: latency))
  }
}
