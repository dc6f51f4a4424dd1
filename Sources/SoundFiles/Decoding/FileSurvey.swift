// SPDX-License-Identifier: Apache-2.0

/// A survey of what only reading all of a file tells, made from its beginning on; for one thread at a time.
package protocol FileSurvey: AnyObject {
  /// Frames from the file's beginning on whose places are known.
  var reach: Int64 { get }
  /// All heard frames, once the end has been found; nil where they have no common count.
  var frameCount: Int64? { get }

  /// Reads a little further: for tens of milliseconds, on a slow disk.
  ///
  /// - Returns: false at the end.
  func advance() throws(SoundFileError) -> Bool
}
