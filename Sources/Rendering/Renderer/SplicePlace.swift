// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// The place on the present timeline where prepared content takes over.
struct SplicePlace {
  /// The first frame that is replaced; later ones are, where it is too late for that.
  let from: RationalTime
  /// The last frame at which taking over is of use; nil for any.
  let until: RationalTime?
  /// The first frame that the content could begin with, where it is the present one once more; nil where it is not.
  ///
  /// Where time is held between the two, as by a flush that was carried out before what the clock had shown, the content
  /// does not lead there.
  var earliest: RationalTime?
}
