// SPDX-License-Identifier: Apache-2.0

/// A stretch of time from `start` up to, but without, `end`.
///
/// Two ranges are equal if their starts and durations are. Corresponds to `CMTimeRange`.
public struct MediaTimeRange: Hashable, Codable, Sendable {
  /// The first instant of the range.
  public var start: MediaTime
  /// The length: not negative, of epoch 0; may be infinite or indefinite.
  public var duration: MediaTime

  /// The range of `duration` from `start` on; invalid if the epoch of `duration` is not 0.
  ///
  /// Corresponds to `CMTimeRangeMake`.
  public init(start: MediaTime, duration: MediaTime) {
    self.start = start
    self.duration = duration
    if duration.isNumeric, duration.epoch != 0 { self = .invalid }
  }

  /// The range from `start` up to `end`; invalid if reversed or across epochs.
  ///
  /// Corresponds to `CMTimeRangeFromTimeToTime`.
  public init(start: MediaTime, end: MediaTime) {
    guard start.isValid, end.isValid, start <= end, start.sharesEpoch(with: end) else {
      self = .invalid
      return
    }
    self.init(start: start, duration: end - start)
  }

  /// The empty range at zero, `kCMTimeRangeZero`.
  public static let zero = MediaTimeRange(start: .zero, duration: .zero)
  /// The range that is none, `kCMTimeRangeInvalid`.
  public static let invalid = MediaTimeRange(start: .invalid, duration: .invalid)

  /// True where start and duration are valid, the duration not negative and of epoch 0.
  ///
  /// Corresponds to `CMTIMERANGE_IS_VALID`.
  public var isValid: Bool {
    start.isValid && duration.isValid && duration.sharesEpoch(with: .zero) && duration >= .zero
  }

  /// True where the range is valid but start or duration are not known yet.
  ///
  /// Corresponds to `CMTIMERANGE_IS_INDEFINITE`.
  public var isIndefinite: Bool { isValid && (start.isIndefinite || duration.isIndefinite) }

  /// True where the range is valid and of no length, `CMTIMERANGE_IS_EMPTY`.
  public var isEmpty: Bool { isValid && duration == .zero }

  /// The instant after the range, which it does not contain, `CMTimeRangeGetEnd`.
  public var end: MediaTime { start + duration }

  /// Tells whether `time` is a number of the same epoch, not before `start` and before `end`.
  ///
  /// Corresponds to `CMTimeRangeContainsTime`.
  public func contains(_ time: MediaTime) -> Bool {
    isDefinite && time.isNumeric && start.sharesEpoch(with: time) && start <= time && time < end
  }

  /// Tells whether all of `range` is in this one; an empty range never is, nor is anything in it.
  ///
  /// Corresponds to `CMTimeRangeContainsTimeRange`.
  public func contains(_ range: MediaTimeRange) -> Bool {
    isDefinite && range.isDefinite && !isEmpty && !range.isEmpty
      && start.sharesEpoch(with: range.start) && start <= range.start && range.end <= end
  }

  /// The smallest range that covers both, with what is between, `CMTimeRangeGetUnion`.
  ///
  /// Invalid if either is invalid or indefinite or their starts differ in epoch.
  public func union(_ other: MediaTimeRange) -> MediaTimeRange {
    guard isDefinite, other.isDefinite, start.sharesEpoch(with: other.start) else {
      return .invalid
    }
    return MediaTimeRange(start: min(start, other.start), end: max(end, other.end))
  }

  /// The largest range that both have, `CMTimeRangeGetIntersection`; `zero` if they have none.
  ///
  /// Invalid if either is invalid or indefinite or their starts differ in epoch.
  public func intersection(_ other: MediaTimeRange) -> MediaTimeRange {
    guard isDefinite, other.isDefinite, start.sharesEpoch(with: other.start) else {
      return .invalid
    }
    let (first, last) = (max(start, other.start), min(end, other.end))
    return first < last ? MediaTimeRange(start: first, end: last) : .zero
  }

  private var isDefinite: Bool { isValid && !isIndefinite }
}

extension MediaTime {
  /// Tells whether the epochs agree; times that are no numbers have none.
  func sharesEpoch(with other: MediaTime) -> Bool {
    epoch == other.epoch || !isNumeric || !other.isNumeric
  }
}
