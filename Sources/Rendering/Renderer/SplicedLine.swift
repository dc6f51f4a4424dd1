// SPDX-License-Identifier: Apache-2.0

package import MediaTime

/// The renderer's line right behind a splice.
package struct SplicedLine: Hashable {
  /// The traversal of media time that the line belongs to.
  package let traversal: Int
  /// Number of the line's content.
  package let generation: Int
  /// Media time at which the line's last piece begins.
  package let begin: RationalTime
}
