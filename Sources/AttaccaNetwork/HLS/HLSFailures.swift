// SPDX-License-Identifier: Apache-2.0

import SoundFiles

/// The last vain attempts to load something of a stream.
struct HLSFailures {
  /// Reason for which the list could not be loaded; nil once it could.
  var list: SoundFileError?
  /// Reason for which the segment could not be; nil once it could.
  private(set) var segment: SoundFileError?
  /// Segments in a row that the variant does not have.
  private(set) var misses = 0

  /// Reason for which nothing more comes; nil where none is known.
  var reason: SoundFileError? { list ?? segment }

  /// A segment is not there.
  mutating func miss(_ error: SoundFileError) { (segment, misses) = (error, misses + 1) }

  /// A segment is there.
  mutating func hit() { (segment, misses) = (nil, 0) }

  /// The segments are another variant's from now on.
  mutating func changeVariant() { misses = 0 }
}
