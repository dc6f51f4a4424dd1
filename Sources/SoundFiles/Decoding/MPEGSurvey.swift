// SPDX-License-Identifier: Apache-2.0

import CMPG123

/// The MPEG frames of a file: how many samples they hold, and where some of them are.
///
/// libmpg123 finds them itself, as it does when it plays: no count but its own is that of its frames.
final class MPEGSurvey: FileSurvey {
  private(set) var reach: Int64 = 0
  private(set) var frameCount: Int64?
  /// nil once it has come to the end: what it has found is kept then.
  private var handle: MPG123Handle?
  private var map: MPEGMap?

  /// MPEG frames a step: 13 s, of 214 kB at 128 kbit/s.
  private static let framesPerStep = 512
  /// Bytes that are read at once: 5 ms a request are little beside the 13 ms that they take at 20 MB/s, and
  /// who reads the same disk for its next second of sound does not wait for more.
  private static let blockSize = 1 << 18

  /// Of 12 hours every 256th MPEG frame: a place between two is found in 4 requests.
  private static let indexSize = 8_192

  /// Looks at `file` from its beginning, by a descriptor of its own.
  init(
    of file: RegularFile, stream: MPEGStream, promise: InfoPromise
  ) throws(SoundFileError) {
    let own = try RegularFile(duplicating: file, blockSize: Self.blockSize)
    handle = try MPG123Handle(
      file: own, stream: stream, promise: promise, scans: false, indexSize: Self.indexSize)
  }

  func advance() throws(SoundFileError) -> Bool {
    guard let handle else { return false }
    for _ in 0..<Self.framesPerStep {
      guard let samples = try handle.nextFrame() else {
        (frameCount, map, self.handle) = (reach, try handle.wholeMap(), nil)
        return false
      }
      reach += Int64(samples)
    }
    return true
  }

  /// Has another handle of the same file find frames by what has been found here.
  func lend(to other: MPG123Handle) {
    if let map = map ?? handle?.map { other.take(map) }
  }
}

/// Places of MPEG frames, and what stands between them.
struct MPEGMap {
  /// Of every `step`th frame, its place among the bytes that are shown.
  let offsets: [off_t]
  let step: off_t
  let runs: MPEGRuns.Found
}
