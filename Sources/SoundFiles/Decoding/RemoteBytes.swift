// SPDX-License-Identifier: Apache-2.0

/// The bytes of a file that is elsewhere, and comes bit by bit.
///
/// Used by one thread at a time.
package protocol RemoteBytes: AnyObject {
  /// Number of all bytes; nil while nobody knows.
  var size: Int64? { get }

  /// True where bytes come in their order alone, so that one at the end is there once all before it are.
  var isSequential: Bool { get }

  /// Writes to `buffer` what follows from `offset` on; blocks until a byte is there.
  ///
  /// - Returns: The number of bytes, 1 or more; 0 at the end; or the negated `errno` of a failure.
  func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int
}
