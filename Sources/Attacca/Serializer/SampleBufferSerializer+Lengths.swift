// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MediaTime
import SoundFiles

// Lengths that files do not tell at their beginnings; on the serialization queue.
extension SampleBufferSerializer {
  /// Has the file that is being decoded be read as a whole for its length, beside playing.
  func searchLength() {
    assertOnQueue()
    guard let playing = state.playing, playing.isOpen,
      let last = playing.begun.last?.range.occurrence,
      let item = playing.order.item(of: last)
    else { return }
    defer { takeLength() }
    guard let search = playing.lengthSearch else {
      // What has been found of a file that is played again is kept.
      if lookAhead.lengthSearch?.path != item.bytePath { lookAhead.lengthSearch = nil }
      return
    }
    guard search !== lookAhead.lengthSearch?.search else { return }
    lookAhead.lengthSearch = (search, item.bytePath)
    guard !search.isOver else { return }
    // Nobody else makes its steps; it is over, too, once nobody holds it.
    weak let weakSearch = search
    NamedThread.start("attacca-length", stackSize: 1 << 20) { [weak self] in
      while weakSearch?.advance() == true {}
      guard let self else { return }
      queue.async { self.takeLength() }
    }
  }

  /// Takes the length that has been found, for the items that lack it.
  func takeLength() {
    assertOnQueue()
    guard let (search, path) = lookAhead.lengthSearch, let frames = search.frameCount else {
      return
    }
    for span in state.timeline.spans where span.duration == nil && span.item.bytePath == path {
      learn(RationalTime(frames: frames, rate: span.sampleRate), of: span)
    }
  }

  /// Takes and tells the length of an item on the timeline.
  func learn(_ duration: RationalTime, of span: ItemSpan) {
    assertOnQueue()
    let occurrence = span.range.occurrence
    for i in state.timeline.spans.indices
    where state.timeline.spans[i].range.occurrence == occurrence {
      state.timeline.spans[i].duration = duration
    }
    state.playing?.learn(duration, of: occurrence)
    if nowPlaying.span?.range.occurrence == occurrence {
      nowPlaying.span?.duration = duration
    }
    publish()
    tellGains()
    send(.durationDidChange(span.item, MediaTime(duration)))
  }
}
