// SPDX-License-Identifier: Apache-2.0

import CLibAV
import DecodeMessages

/// Decoded samples of one format that have not been given yet.
struct DecodedSamples {
  private(set) var format: WireFormat
  /// The format that the last reply told.
  private(set) var told: WireFormat
  /// False once there have been samples of another format.
  private(set) var hasOneFormat = true
  private var samples: [Float] = []
  /// Frames of `samples` that have been given.
  private var taken = 0

  /// None, of a format that has been told.
  init(format: WireFormat) { (self.format, told) = (format, format) }

  /// Frames that can be given.
  var available: Int { samples.count / format.channelCount - taken }

  /// Forgets all samples.
  mutating func removeAll() { (samples, taken) = ([], 0) }

  /// Forgets all samples: those that follow are of another format.
  mutating func begin(_ format: WireFormat) {
    removeAll()
    (self.format, hasOneFormat) = (format, false)
  }

  /// Takes frames of the decoder's.
  ///
  /// - Returns: false where their samples are of a kind that is not known.
  mutating func append(_ frame: UnsafeMutablePointer<AVFrame>, _ frames: Range<Int>) -> Bool {
    dropGiven()
    return SampleWriter.append(frame, frames, to: &samples)
  }

  /// Takes silence.
  mutating func appendSilence(frames: Int) {
    dropGiven()
    samples += repeatElement(0, count: frames * format.channelCount)
  }

  /// Passes over frames that are there.
  mutating func skip(_ frames: Int) { taken += frames }

  private mutating func dropGiven() {
    guard taken > 0 else { return }
    samples.removeFirst(taken * format.channelCount)
    taken = 0
  }

  /// Tells the format, and gives frames to `body`: up to `count`, or none where the format is told anew.
  mutating func give(
    _ count: Int, _ body: (_ frames: Int, _ isOtherFormat: Bool, UnsafeRawBufferPointer) -> Void
  ) {
    let isOther = format != told
    told = format
    let given = isOther ? 0 : min(count, available)
    let size = MemoryLayout<Float>.size * format.channelCount
    samples.withUnsafeBytes {
      body(
        given, isOther, UnsafeRawBufferPointer(rebasing: $0[taken * size..<(taken + given) * size]))
    }
    taken += given
  }
}
