// SPDX-License-Identifier: Apache-2.0

package import SoundFiles

/// Tags that a source has from a frame on: the title of a broadcast, the next link of a chained file.
package struct TagChange: Hashable, Sendable {
  /// The first frame that it is true of.
  package let frame: Int64
  /// All of it, not only what has changed.
  package let tags: Tags

  /// A change at `frame`.
  package init(frame: Int64, tags: Tags) { (self.frame, self.tags) = (frame, tags) }
}
