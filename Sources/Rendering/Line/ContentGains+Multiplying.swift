// SPDX-License-Identifier: Apache-2.0

package import MediaTime

extension ContentGains {
  /// Multiplies interleaved `samples`, the first of which are of frame `first`, by the factors of their frames.
  package func multiply(_ samples: inout [Float], channelCount: Int, from first: StreamFrame) {
    let count = samples.count / channelCount
    var done = 0
    while done < count {
      let run = run(at: first + done, atMost: count - done)
      let end = done + run.frames
      if run.step != 0 {
        for n in 0..<run.frames {
          let factor = run[n]
          let begin = (done + n) * channelCount
          for i in begin..<(begin + channelCount) { samples[i] *= factor }
        }
      } else if run.from != 1 {
        for i in (done * channelCount)..<(end * channelCount) { samples[i] *= run.from }
      }
      done = end
    }
  }
}
