// SPDX-License-Identifier: Apache-2.0

/// A store that cannot be read or written.
public struct BookmarkError: Error, Hashable, Sendable {
  /// The store's file.
  public let path: String
  /// The function of SQLite that failed.
  public let call: String
  /// The library's own code.
  public let code: Int32
  /// The cause in words, and what helps.
  public let cause: String
}

extension BookmarkError: CustomStringConvertible, CustomDebugStringConvertible {
  /// One line, as in "bookmarks.sqlite: cannot be opened: …".
  public var description: String { "\(path): \(cause)" }

  /// `description` with the function that failed and its code.
  public var debugDescription: String { "\(description) (\(call), code \(code))" }
}
