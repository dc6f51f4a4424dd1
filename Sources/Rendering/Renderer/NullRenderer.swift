// SPDX-License-Identifier: Apache-2.0

public import SampleBuffers

/// Renders in real time into nothing, paced by the host's clock: for machines without sound.
public final class NullRenderer: AudioRenderer, @unchecked Sendable {
  // @unchecked: adds no state to its superclass.

  /// A renderer of `format`.
  public init(
    format: AudioFormat = AudioFormat(sampleRate: 48_000, layout: .stereo),
    latency: Latency = .responsive, quality: RateConverter.Quality = .veryHigh
  ) {
    super.init(output: NullDevice(format: format, latency: latency), quality: quality)
  }
}
