// SPDX-License-Identifier: Apache-2.0

/// One playing of an item: repeated, the same item occurs again with the next pass; backwards, with the one
/// before.
struct Occurrence: Hashable, Sendable {
  let id: PlaylistItem.ID
  let pass: Int
}
