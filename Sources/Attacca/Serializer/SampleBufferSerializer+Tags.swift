// SPDX-License-Identifier: Apache-2.0

import MediaTime
import SoundFiles

// What items say of themselves while they are heard; on the serialization queue.
extension SampleBufferSerializer {
  /// Tells `tags` of an item once the frame at `time` is heard.
  func watchTags(_ tags: Tags, of occurrence: Occurrence, at time: RationalTime) {
    let observation = synchronizer.addDeadline(
      time, traversal: state.timeline.traversal, queue: queue
    ) { [weak self] in self?.hear(tags, of: occurrence, at: time) }
    deadlines.addTags(observation, at: time)
  }

  private func hear(_ tags: Tags, of occurrence: Occurrence, at time: RationalTime) {
    deadlines.passTags(to: time)
    var item: PlaylistItem?
    for i in state.timeline.spans.indices
    where state.timeline.spans[i].range.occurrence == occurrence {
      state.timeline.spans[i].tags = tags
      item = state.timeline.spans[i].item
    }
    if nowPlaying.span?.range.occurrence == occurrence { nowPlaying.span?.tags = tags }
    guard let item else { return }
    publish()
    send(.tagsDidChange(item, tags))
  }
}
