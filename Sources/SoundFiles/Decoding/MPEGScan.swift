// SPDX-License-Identifier: Apache-2.0

import CMPG123

/// All frames of an MPEG file: how many are heard, and where some of them are.
///
/// Constant, once made.
final class MPEGScan: @unchecked Sendable {
  // @unchecked: `runs` has come to the end of the file, and changes no more.
  /// Heard frames; nil where the library does not tell.
  let frameCount: Int64?
  /// What stands between the frames.
  let runs: MPEGRuns
  /// Of every `step`th MPEG frame, its place among the bytes that are shown.
  private let offsets: [off_t]
  private let step: off_t

  /// Reads `file` to its end.
  init(
    of file: RegularFile, stream: MPEGStream, promise: InfoPromise
  ) throws(SoundFileError) {
    let handle = try MPG123Handle(file: file, stream: stream, promise: promise, scans: true)
    (frameCount, runs) = (handle.length, handle.runs)
    (offsets, step) = handle.index
  }

  /// Has `handle` find frames by this index.
  func lend(to handle: MPG123Handle) {
    guard !offsets.isEmpty else { return }
    handle.take(index: offsets, step: step, runs: runs)
  }
}
