// SPDX-License-Identifier: Apache-2.0

import Attacca
@testable import Rendering

/// What `effect` makes of interleaved `samples`, given in `pieces` frames at a time, without its latency.
func processed(
  _ samples: [Float], by effect: any AudioEffect,
  format: AudioFormat = AudioFormat(sampleRate: 48_000, layout: .mono), pieces: [Int] = [512]
) -> [Float] {
  let channels = format.channelCount
  let processor = effect.makeProcessor(for: format, maximumFrames: pieces.max()!)
  var all = samples + [Float](repeating: 0, count: processor.latency * channels)
  let count = all.count / channels
  var (done, piece) = (0, 0)
  all.withUnsafeMutableBufferPointer {
    while done < count {
      let frames = min(pieces[piece % pieces.count], count - done)
      processor.process($0.baseAddress! + done * channels, frameCount: frames)
      done += frames
      piece += 1
    }
  }
  return Array(all.dropFirst(processor.latency * channels))
}
