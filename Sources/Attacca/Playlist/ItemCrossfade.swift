// SPDX-License-Identifier: Apache-2.0

import Glibc
public import MediaTime
import Preconditions

/// Overlap of an item's end with the beginning of the one that follows it.
///
/// The corresponding type of MusicKit is `MusicPlayer.Transition.crossfade`.
public struct ItemCrossfade: Hashable, Sendable {
  /// Gains of the two items as a function of time.
  public enum Curve: Hashable, Sendable, CaseIterable {
    /// Cosine and sine of a quarter of a turn: the sum of the powers is 1, for items that have nothing to do with
    /// each other.
    case equalPower
    /// Straight lines: the sum of the gains is 1.
    case linear

    /// The gains of the item that leaves and of the one that enters at `progress`, 0 at the beginning of the
    /// overlap and 1 at its end.
    func gains(at progress: Double) -> (leaving: Float, entering: Float) {
      let progress = min(max(progress, 0), 1)
      return switch self {
      case .equalPower: (Float(cos(progress * .pi / 2)), Float(sin(progress * .pi / 2)))
      case .linear: (Float(1 - progress), Float(progress))
      }
    }
  }

  /// Length of the overlap in media time; shorter where an item is too short for it.
  public let duration: MediaTime
  /// Gains of the two items in it.
  public let curve: Curve
  /// True where tracks of an album in its order overlap, too; where false, they follow each other without a gap.
  public let includesAlbums: Bool

  /// An overlap of `duration`.
  ///
  /// - Precondition: `duration` is numeric and positive.
  public init(
    duration: MediaTime, curve: Curve = .equalPower, includesAlbums: Bool = false
  ) {
    require(
      duration.isNumeric && duration > .zero,
      "a crossfade of \(duration); numbers above zero are permitted")
    (self.duration, self.curve, self.includesAlbums) = (duration, curve, includesAlbums)
  }

  /// The length in frames at `rate`, no longer than any item.
  func frames(at rate: Int) -> Int64 {
    min(RationalTime(duration), PlayedRange.end).frames(at: rate)
  }
}
