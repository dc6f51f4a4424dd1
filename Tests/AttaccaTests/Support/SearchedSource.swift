// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Dispatch
import SoundFiles

/// A ramp whose length is known only once it has been searched to its end, a few frames a step.
final class SearchedSource: FrameSource {
  let lengthSearch: LengthSearch?
  private let ramp: RampSource

  /// Each step takes `seconds`.
  init(path: String, framesPerStep: Int64, seconds: Double) throws(SoundFileError) {
    ramp = try RampSource(path: path)
    lengthSearch = LengthSearch(
      Survey(length: ramp.frameCount ?? 0, framesPerStep: framesPerStep, seconds: seconds))
  }

  private final class Survey: FileSurvey {
    private let (length, framesPerStep, seconds): (Int64, Int64, Double)
    private(set) var reach: Int64 = 0
    private(set) var frameCount: Int64?
    /// Nobody signals it: a disk takes its time.
    private let disk = DispatchSemaphore(value: 0)

    init(length: Int64, framesPerStep: Int64, seconds: Double) {
      (self.length, self.framesPerStep, self.seconds) = (length, framesPerStep, seconds)
    }

    func advance() throws(SoundFileError) -> Bool {
      _ = disk.wait(timeout: .now() + seconds)
      reach = min(reach + framesPerStep, length)
      guard reach == length else { return true }
      frameCount = length
      return false
    }
  }

  var format: AudioFormat { ramp.format }
  var frameCount: Int64? { lengthSearch?.frameCount }
  var tags: Tags { ramp.tags }
  var truncation: SoundFileError? { nil }

  func seek(to frame: Int64) throws(SoundFileError) {
    lengthSearch?.run(to: frame)
    try ramp.seek(to: frame)
  }

  func read(frames: Int) throws(SoundFileError) -> Chunk? { try ramp.read(frames: frames) }
}
