// SPDX-License-Identifier: Apache-2.0

/// Sums of samples, made in one pass each; part of the render path.
///
/// Each that tells an excess returns less than 0 where a sample that it has written is beyond full scale: the bits
/// of numbers without their signs are in their order, and above those of 1 the sum reaches bit 30. The sign above it
/// stays what it is, so that an addition and an "or" a sample are all: with the sign taken away first, copying took
/// a tenth longer.
enum Samples {
  /// Bit 30 set for what is beyond full scale, infinity included.
  @_noLocks @_noAllocation @inline(__always)
  private static func overflow(_ sample: Float) -> UInt32 { sample.bitPattern &+ 0x007f_ffff }

  /// Less than 0 where bit 30 is set.
  @_noLocks @_noAllocation @inline(__always)
  private static func sign(_ overflow: UInt32) -> Int32 { Int32(bitPattern: overflow &<< 1) }

  // Not `for`: without optimization its ranges take five times as long, and a seek is late.

  /// Writes `count` samples of `source` to `target`.
  @_noLocks @_noAllocation
  static func copy(
    _ source: UnsafePointer<Float>, count: Int, into target: UnsafeMutablePointer<Float>
  ) -> Int32 {
    var (excess, n) = (UInt32(0), 0)
    while n < count {
      let sample = source[n]
      target[n] = sample
      excess |= overflow(sample)
      n &+= 1
    }
    return sign(excess)
  }

  /// Writes `count` sums of `a` and `b` to `target`.
  @_noLocks @_noAllocation
  static func sum(
    _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, count: Int,
    into target: UnsafeMutablePointer<Float>
  ) -> Int32 {
    var (excess, n) = (UInt32(0), 0)
    while n < count {
      let sample = a[n] + b[n]
      target[n] = sample
      excess |= overflow(sample)
      n &+= 1
    }
    return sign(excess)
  }

  /// Adds `count` samples of `source` to `target`.
  @_noLocks @_noAllocation
  static func add(
    _ source: UnsafePointer<Float>, count: Int, to target: UnsafeMutablePointer<Float>
  ) -> Int32 { sum(UnsafePointer(target), source, count: count, into: target) }

  /// Adds `count` samples of `a`, and then of `b`, to `target`.
  @_noLocks @_noAllocation
  static func add(
    _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, count: Int,
    to target: UnsafeMutablePointer<Float>
  ) -> Int32 {
    var (excess, n) = (UInt32(0), 0)
    while n < count {
      let sample = target[n] + a[n] + b[n]
      target[n] = sample
      excess |= overflow(sample)
      n &+= 1
    }
    return sign(excess)
  }

  /// Less than 0 where one of `count` samples is beyond full scale.
  @_noLocks @_noAllocation
  static func excess(of samples: UnsafePointer<Float>, count: Int) -> Int32 {
    var (excess, n) = (UInt32(0), 0)
    while n < count {
      excess |= overflow(samples[n])
      n &+= 1
    }
    return sign(excess)
  }

  /// Writes `count` zeros.
  @_noLocks @_noAllocation
  static func clear(_ target: UnsafeMutablePointer<Float>, count: Int) {
    var n = 0
    while n < count {
      target[n] = 0
      n &+= 1
    }
  }
}
