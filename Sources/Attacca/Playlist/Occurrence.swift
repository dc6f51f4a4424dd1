// SPDX-License-Identifier: Apache-2.0

/// One playing of an item: repeated, the same item occurs again with a higher pass.
struct Occurrence: Hashable, Sendable {
  let id: PlaylistItem.ID
  let pass: Int
}
