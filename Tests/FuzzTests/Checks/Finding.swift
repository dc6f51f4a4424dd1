// SPDX-License-Identifier: Apache-2.0

/// What an input has shown to be wrong.
struct Finding: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  /// Throws unless `fact` holds.
  static func unless(
    _ fact: Bool, _ description: @autoclosure () -> String
  ) throws(Finding) {
    if !fact { throw Finding(description()) }
  }
}
