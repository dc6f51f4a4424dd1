// SPDX-License-Identifier: Apache-2.0

/// A test server that could not be had, in a sentence that says what to do.
public struct TestServerError: Error, CustomStringConvertible {
  /// The sentence.
  public let description: String

  init(_ description: String) { self.description = description }
}
