// SPDX-License-Identifier: Apache-2.0

import SampleBuffers

/// One link of a chained Opus file, or the whole of any other file.
struct SndFileLink {
  /// Its bytes.
  let window: Range<Int64>
  let format: AudioFormat
  /// As libsndfile counts them, `nil` where the header does not tell.
  let statedFrames: Int64?
  /// The same, or what was found to be there.
  var frames: Int64?
  /// Set for Opus whose headers can be read.
  let opus: OpusStream?

  init(window: Range<Int64>, format: AudioFormat, frames: Int64?, opus: OpusStream?) {
    (self.window, self.format, self.opus) = (window, format, opus)
    (statedFrames, self.frames) = (frames, frames)
  }
}
