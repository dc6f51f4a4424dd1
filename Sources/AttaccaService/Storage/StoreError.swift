// SPDX-License-Identifier: Apache-2.0

/// A refusal of what keeps the service's state, or of its files.
public struct StoreError: Error, Hashable, CustomStringConvertible {
  /// The file.
  public let path: String
  /// The function of SQLite, or of the system, that failed.
  public let call: String
  /// Its own code; 0 where there is none.
  public let code: Int32
  /// The cause, in words.
  public let cause: String

  /// The file and the cause.
  public var description: String { "\(path): \(cause)" }
}
