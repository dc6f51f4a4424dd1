// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// The place on the present timeline where prepared content takes over.
struct SplicePlace {
  /// The first frame that is replaced; later ones are, where it is too late for that.
  let from: RationalTime
  /// The last frame at which taking over is of use; nil for any.
  let until: RationalTime?
  /// The number of the line's content that the place was chosen in; nil for any.
  ///
  /// Of other content, as behind a flush that was carried out meanwhile, time may be held before the place, and nothing
  /// is left that leads there.
  var generation: Int?
}
