// SPDX-License-Identifier: Apache-2.0

import Attacca

/// The place in a file at which playing was asked to begin.
struct StartPlace {
  private let path: BytePath
  private let offset: MediaTime

  /// `offset` into the file at `path`; it is numeric.
  init(_ path: BytePath, _ offset: MediaTime) { (self.path, self.offset) = (path, offset) }

  /// Complaint about it where nothing was played from there; nil where that is within the file.
  ///
  /// Blocks until the file has been looked at.
  var complaint: String? {
    do throws(SoundFileError) {
      let (begin, length) = (RationalTime(offset), try FileReport(path: path).length)
      guard begin >= length else { return nil }
      return "\(path): nothing to play from \(ClockText.exact(begin)) on: "
        + "it is \(ClockText.exact(length)) long"
    } catch {
      return ErrorText.of(error)
    }
  }
}
