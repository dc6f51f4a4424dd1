// SPDX-License-Identifier: Apache-2.0

public import SoundFiles
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
  public let bytePath: BytePath
  /// The file's path for people: a name that is not UTF-8 is shown with its bytes as `\xE9`.
  public var path: String { bytePath.text }

  private static let lastNumber = Atomic<UInt64>(0)

  /// A new item for the file at `path`, whatever its bytes.
  public init(path: BytePath) {
    id = ID(number: Self.lastNumber.add(1, ordering: .relaxed).newValue)
    bytePath = path
  }

  /// A new item for the file at `path`.
  public init(path: String) { self.init(path: BytePath(path)) }

  /// Whether two items are the same entry.
  public static func == (a: PlaylistItem, b: PlaylistItem) -> Bool { a.id == b.id }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
