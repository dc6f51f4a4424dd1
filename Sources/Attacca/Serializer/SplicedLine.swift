// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// The renderer's line right behind a splice.
struct SplicedLine: Hashable {
  /// The traversal of media time that the line belongs to.
  let traversal: Int
  /// Number of the line's content.
  let generation: Int
  /// Media time at which the line's last piece begins.
  let begin: RationalTime
}
