// SPDX-License-Identifier: Apache-2.0

import MediaTime

// What is enqueued.
extension RenderLine {
  /// Whatever is enqueued first after a flush decides where the content lies.
  mutating func anchor(at media: TimelineFrame) {
    if ring.count == 0, transport != .running { moveContent(to: ring.end - media.number) }
  }

  /// Adds content at timeline frame `media`; what lies between it and the content before is
  /// silence, what has content already is dropped.
  ///
  /// - Returns: the frames of `count` taken or dropped; the rest, if any, found no room.
  mutating func append(_ source: UnsafePointer<Float>, media: TimelineFrame, count: Int) -> Int {
    if let limit, media + count > limit {
      let wanted = Int(max(0, limit - media))
      let taken = wanted > 0 ? append(source, media: media, count: wanted) : 0
      return taken == wanted ? count : taken
    }
    anchor(at: media)
    let gap = stream(of: media) - ring.end
    let late = min(Int(max(0, -gap)), count)
    if late == count { return count }
    if gap > 0, ring.append(nil, frames: Int(clamping: gap)) < gap { return 0 }
    return late + ring.append(source + late * ring.channelCount, frames: count - late)
  }
}
