// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// The place that a listener hears, as the clock tells.
struct HeardPosition: Hashable, Sendable {
  /// The item that is heard.
  let occurrence: Occurrence
  /// Distance of the place from the item's beginning.
  let offset: RationalTime
  /// Number of the start that the place belongs to.
  let generation: Int
  /// Number of the item, which rises from item to item in the order in which they are heard.
  var place = 0
}
