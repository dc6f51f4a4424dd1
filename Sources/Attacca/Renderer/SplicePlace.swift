// SPDX-License-Identifier: Apache-2.0

/// Where on the present timeline prepared content takes over, in timeline frames.
struct SplicePlace {
  /// The first frame that is replaced; later ones are, where it is too late for that.
  let from: Int64
  /// The last frame at which taking over is of use; nil for any.
  let until: Int64?
}
