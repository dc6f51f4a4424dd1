// SPDX-License-Identifier: Apache-2.0

/// Memory for interleaved samples, lent out by a `FramePool`.
///
/// `@unchecked Sendable`: written by the one thread that took it from the pool, before it is
/// wrapped in a `SampleBuffer`; read only from then on.
public final class FrameStorage: @unchecked Sendable {
  /// Samples, `capacity` of them.
  public let samples: UnsafeMutablePointer<Float>
  /// Samples (not frames) that fit.
  public let capacity: Int

  /// Allocates room for `capacity` samples.
  public init(capacity: Int) {
    samples = .allocate(capacity: max(capacity, 1))
    self.capacity = capacity
  }

  deinit { samples.deallocate() }
}
