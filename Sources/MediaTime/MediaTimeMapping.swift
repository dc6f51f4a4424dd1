// SPDX-License-Identifier: Apache-2.0

/// A correspondence of the times of one range to those of another: an edit.
///
/// An empty edit has no source: its target is silence. Corresponds to `CMTimeMapping`.
public struct MediaTimeMapping: Hashable, Codable, Sendable {
  /// The part of the media that is used.
  public var source: MediaTimeRange
  /// The range that the source is placed at.
  public var target: MediaTimeRange

  /// The edit that plays `source` at `target`, `CMTimeMappingMake`.
  public init(source: MediaTimeRange, target: MediaTimeRange) {
    self.source = source
    self.target = target
  }

  /// The edit that leaves `target` silent, `CMTimeMappingMakeEmpty`.
  public init(emptyEditAt target: MediaTimeRange) {
    self.init(source: .invalid, target: target)
  }

  /// The mapping that is none, `kCMTimeMappingInvalid`.
  public static let invalid = MediaTimeMapping(source: .invalid, target: .invalid)

  /// True where the target is valid, `CMTIMEMAPPING_IS_VALID`.
  public var isValid: Bool { target.isValid }

  /// True where this is an edit without a source, `CMTIMEMAPPING_IS_EMPTY`.
  public var isEmpty: Bool { isValid && !source.start.isNumeric }

  /// The speed at which the source plays: its duration over the target's.
  ///
  /// nil for an empty edit and for durations that are infinite, indefinite or zero.
  public var rate: Double? {
    guard isValid, !isEmpty, source.isValid, source.duration.isNumeric,
      target.duration.isNumeric, !source.isEmpty, !target.isEmpty
    else { return nil }
    return source.duration.seconds / target.duration.seconds
  }

  /// The time of the target that corresponds to `time` of the source.
  ///
  /// (`time` - source start) · target duration / source duration + target start, also for times
  /// outside the source; the ends map to the ends. Between infinite ranges times are shifted only.
  /// Invalid if either range is empty or invalid, or the epochs of `time` and the source differ.
  /// Corresponds to `CMTimeMapTimeFromRangeToRange`.
  public func mapTime(_ time: MediaTime) -> MediaTime {
    guard isUsable, time.isValid, time.sharesEpoch(with: source.start) else { return .invalid }
    if time == source.start { return target.start }
    if time == source.end { return target.end }
    // Within one epoch the difference is a duration, of epoch 0.
    return target.start + mapDuration(time - source.start)
  }

  /// The length in the target of a `duration` in the source.
  ///
  /// `duration` · target duration / source duration, exact unless no timescale for it exists;
  /// unchanged between infinite ranges. Invalid if either range is empty or invalid, if only one is
  /// infinite, or if the epoch of `duration` is not 0.
  /// Corresponds to `CMTimeMapDurationFromRangeToRange`.
  public func mapDuration(_ duration: MediaTime) -> MediaTime {
    guard isUsable, duration.sharesEpoch(with: .zero) else { return .invalid }
    let (from, to) = (source.duration, target.duration)
    if from.isPositiveInfinity, to.isPositiveInfinity { return duration }
    guard from.isNumeric, to.isNumeric else { return .invalid }
    guard duration.isNumeric else { return duration }
    var over = [duration.value.magnitude, to.value.magnitude, UInt64(from.timescale)]
    var under = [UInt64(duration.timescale), UInt64(to.timescale), from.value.magnitude]
    for i in over.indices {
      for j in under.indices {
        let divisor = greatestCommonDivisor(over[i], under[j])
        over[i] /= divisor
        under[j] /= divisor
      }
    }
    let isRounded = duration.hasBeenRounded || from.hasBeenRounded || to.hasBeenRounded
    guard let numerator = Self.product(over), let denominator = Self.product(under) else {
      // More than 126 bits in lowest terms: centuries in nanoseconds against unrelated scales.
      var result = MediaTime(
        seconds: duration.seconds * (to.seconds / from.seconds),
        preferredTimescale: MediaTime.maximumArithmeticTimescale)
      if result.isNumeric { result.flags.insert(.hasBeenRounded) }
      return result
    }
    return MediaTime(
      closest: duration.value < 0 ? -numerator : numerator, over: denominator,
      preferring: duration.timescale, epoch: 0, rounded: isRounded)
  }

  private var isUsable: Bool {
    source.isValid && target.isValid && !source.isEmpty && !target.isEmpty
  }

  /// nil if the product takes more than 126 bits.
  private static func product(_ factors: [UInt64]) -> Int128? {
    var product: Int128 = 1
    for factor in factors {
      let (next, overflows) = product.multipliedReportingOverflow(by: Int128(factor))
      guard !overflows, next < 1 << 126 else { return nil }
      product = next
    }
    return product
  }
}
