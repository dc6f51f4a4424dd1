// SPDX-License-Identifier: Apache-2.0

import MediaTime
import SampleBuffers

// What takes the place of finished content whose end is too near to be replaced.
extension AudioRenderer {
  /// True where content is finished of which nothing is heard any more from `k` on.
  func endsBefore(_ k: StreamFrame) -> Bool {
    line.transport == .running && line.isFinished && k > line.ring.end
  }

  /// `staged`, the same content as it is to be heard now, takes over behind the end, as `endsBefore(k)`:
  /// with what it has behind that, from `k` on; media time holds at the end until then.
  ///
  /// To refuse it had a player play from the place that the clock showed: of another rate 35 ms before the end
  /// the listener heard 10 ms twice, or not at all.
  func takeOverBehindEnd(_ staged: StagedContent, at k: StreamFrame) -> SpliceOutcome {
    assertLocked()
    let rate = staged.frames.rate
    let media = line.map.last.media(at: line.endOfContent, rate: rate)
    // Both ends are the frames nearest to the same time.
    let rounding: Int64 = rate == line.rate ? 0 : Int64(rate / line.rate + 1)
    guard staged.frames.media <= media + rounding else { return .refused }
    forgetHeard()
    if staged.frames.end <= media + rounding {
      guard staged.isFinished else { return .refused }
      staged.frames.skip(staged.frames.count)
      let nothing = StagedFrames(
        media: media, rate: rate, channelCount: format.channelCount, capacity: 0)
      nothing.isReversed = staged.frames.isReversed
      guard line.replace(from: line.ring.end, with: nothing, fade: 0) else { return .refused }
      let hasPadded = given.hasPadded
      let outcome = install(staged)
      // The output stops where it was to stop.
      if hasPadded {
        given.hasPadded = true
        output.stop(afterFrame: line.ring.end)
      }
      return outcome
    }
    staged.frames.skip(to: media)
    guard line.replace(from: k, with: staged.frames, fade: 0) else { return .refused }
    return install(staged)
  }
}
