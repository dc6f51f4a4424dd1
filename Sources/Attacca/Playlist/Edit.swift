// SPDX-License-Identifier: Apache-2.0

/// The outcome of an operation: its place in the order of all operations on a playlist and its player,
/// and the items that it concerned.
public struct Edit: Hashable, Sendable {
  /// Operations took effect in the order of these; no two of one playlist are alike.
  public let serialNumber: Int
  /// The items put in, taken out, moved or made current, in the order of the list; empty for
  /// operations that concern none, as pausing.
  public let identities: [PlaylistItem.ID]
}
