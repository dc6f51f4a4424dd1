// SPDX-License-Identifier: Apache-2.0

/// Ends the process with `message` on standard error unless `condition` holds, in every build.
///
/// The standard library's `precondition` leaves its message out of optimized builds: a caller saw
/// SIGILL and nothing else. The message names the value and the permitted range. Not for the render
/// path: a message allocates.
@inlinable
package func require(
  _ condition: @autoclosure () -> Bool, _ message: @autoclosure () -> String,
  file: StaticString = #fileID, line: UInt = #line
) {
  if !condition() { trap(message(), file: file, line: line) }
}

/// Ends the process with `message` on standard error, in every build.
@usableFromInline
package func trap(
  _ message: String, file: StaticString = #fileID, line: UInt = #line
) -> Never {
  fatalError(message, file: file, line: line)
}
