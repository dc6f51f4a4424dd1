// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// The place on the present timeline where prepared content takes over.
struct SplicePlace {
  /// The first frame that is replaced; later ones are, where it is too late for that.
  let from: RationalTime
  /// The last frame at which taking over is of use; nil for any.
  let until: RationalTime?
}
