// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MediaTime
import SoundFiles

// Lengths that files do not tell at their beginnings; on the serialization queue.
extension SampleBufferSerializer {
  /// Has the file that is being decoded be read as a whole for its length, beside playing, once.
  func searchLength() {
    guard let feed, feed.isOpen, let search = feed.lengthSearch, search !== lengthSearch,
      let occurrence = feed.begun.last?.passage.occurrence
    else { return }
    lengthSearch = search
    NamedThread.start("attacca-length", stackSize: 1 << 20) { [weak self] in
      search.run()
      guard let self, let frames = search.frameCount else { return }
      queue.async { self.found(frames, of: occurrence) }
    }
  }

  private func found(_ frames: Int64, of occurrence: Occurrence) {
    for span in spans where span.item.id == occurrence.id && span.duration == nil {
      learn(RationalTime(frames: frames, rate: span.sampleRate), of: span)
    }
  }

  /// Takes and tells the length of an item on the timeline.
  func learn(_ duration: RationalTime, of span: ItemSpan) {
    let occurrence = span.passage.occurrence
    for i in spans.indices where spans[i].passage.occurrence == occurrence {
      spans[i].duration = duration
    }
    feed?.learn(duration, of: occurrence)
    if nowPlaying.span?.passage.occurrence == occurrence {
      nowPlaying.span?.duration = duration
    }
    publish()
    send(.durationDidChange(span.item, MediaTime(duration)))
  }
}
