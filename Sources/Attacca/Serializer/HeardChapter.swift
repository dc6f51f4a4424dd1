// SPDX-License-Identifier: Apache-2.0

import SoundFiles

/// The chapter that is heard, and where on the timeline that was found out.
struct HeardChapter {
  let occurrence: Occurrence
  /// Numbers of the start, of the item's place and of the traversal of media time.
  let generation: Int
  let place: Int
  let traversal: Int
  /// Index of the mark that was passed last; nil before the first.
  var mark: Int?
  /// The chapter, and its index among all of the item; nil for none.
  var chapter: Chapter?
  var index: Int?
}
