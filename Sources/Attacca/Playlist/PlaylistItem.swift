// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// One entry of a playlist: a file, and an identity of its own.
///
/// Two items for the same file are different items. Nothing is opened until it is near the
/// playhead: whether the file exists is found out then.
public struct PlaylistItem: Hashable, Sendable, Identifiable {
  /// Distinguishes items within one process.
  public struct ID: Hashable, Sendable, CustomStringConvertible {
    let number: UInt64
    /// As in "#12".
    public var description: String { "#\(number)" }
  }

  /// This item, wherever it is moved.
  public let id: ID
  /// The file's path, relative to the working directory if not absolute.
  public let path: String

  private static let lastNumber = Atomic<UInt64>(0)

  /// A new item for the file at `path`.
  public init(path: String) {
    id = ID(number: Self.lastNumber.add(1, ordering: .relaxed).newValue)
    self.path = path
  }

  /// Whether two items are the same entry.
  public static func == (a: PlaylistItem, b: PlaylistItem) -> Bool { a.id == b.id }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
