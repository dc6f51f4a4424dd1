// SPDX-License-Identifier: Apache-2.0

import MediaTime

// Silences that are left out of what is heard; on the serialization queue where nothing else is said.
extension SampleBufferSerializer {
  /// Length of what has been left out so far; any thread.
  var skippedSilence: RationalTime {
    let (traversal, time) = (synchronizer.heard().1, hearing?.2)
    return nowPlaying.skippedSilence(at: time, traversal: traversal)
  }

  /// Tells what has been left out up to what is heard, twice a second or so: nobody is woken for it.
  func tellSkipped() {
    assertOnQueue()
    guard let time = hearing?.2 else { return }
    tellSkipped(before: time)
  }

  /// Tells what has been left out before `time` of the timeline.
  func tellSkipped(before time: RationalTime) {
    assertOnQueue()
    let length = nowPlaying.countSkipped(before: time, traversal: state.timeline.traversal)
    if length > .zero { send(.silenceSkipped(MediaTime(length))) }
  }
}
