// SPDX-License-Identifier: Apache-2.0

/// Complaint of a measurement: something is not as it should be.
public struct Wrong: Error, CustomStringConvertible {
  /// The fault in words.
  public let description: String

  /// A fault in words.
  public init(_ description: String) { self.description = description }
}
