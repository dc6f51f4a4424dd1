// SPDX-License-Identifier: Apache-2.0

/// An identity that is not in the playlist: removed meanwhile, or never there.
public struct PlaylistError: Error, Hashable, CustomStringConvertible {
  /// The identity that was asked for.
  public let id: PlaylistItem.ID
  /// The operation that asked.
  public let call: String

  /// The operation and the identity.
  public var description: String { "\(call): item \(id) is not in the playlist" }
}
