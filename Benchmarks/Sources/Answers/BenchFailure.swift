// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Why there is no answer.
package struct BenchFailure: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }

  /// - Throws: `what`, where the result to be timed is not right.
  package static func unless(_ isRight: Bool, _ what: @autoclosure () -> String) throws {
    if !isRight { throw BenchFailure(what()) }
  }

  /// Looks every millisecond until `isSo`.
  ///
  /// - Throws: `what`, after ten seconds: a benchmark must end.
  package static func waitUntil(_ what: String, _ isSo: () -> Bool) throws {
    let begin = Effort.now()
    while !isSo() {
      if Effort.now() - begin > 10_000_000_000 { throw BenchFailure("not in 10 s: \(what)") }
      usleep(1_000)
    }
  }
}
