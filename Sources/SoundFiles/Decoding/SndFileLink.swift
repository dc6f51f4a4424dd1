// SPDX-License-Identifier: Apache-2.0

import SampleBuffers

/// One link of a chained Opus file, or the whole of any other file.
struct SndFileLink {
  /// Its bytes.
  let window: Range<Int64>
  let format: AudioFormat
  /// `nil` where the header does not tell.
  let frames: Int64?
}
