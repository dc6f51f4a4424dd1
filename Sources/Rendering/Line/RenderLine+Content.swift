// SPDX-License-Identifier: Apache-2.0

import MediaTime

// What is added to the line.
extension RenderLine {
  /// Adds silence up to timeline frame `media`, unless nothing is taken there.
  ///
  /// - Returns: whether it is reached, with room for `frames` frames more.
  mutating func pad(to media: TimelineFrame, leaving frames: Int) -> Bool {
    if let end = content.refusedFrom, media >= end { return true }
    dropTail()
    anchor(at: media)
    let gap = stream(of: media) - ring.end
    if gap > 0 { ring.append(nil, frames: Int(clamping: gap)) }
    return stream(of: media) <= ring.end && ring.room >= frames
  }

  /// Whatever is enqueued first after a flush decides where the content lies.
  mutating func anchor(at media: TimelineFrame) {
    if ring.count == 0, transport != .running { moveContent(to: ring.end - media.number) }
  }

  /// Adds content at timeline frame `media`; what lies between it and the content before is
  /// silence, what has content already is dropped.
  ///
  /// - Returns: the frames of `count` taken or dropped; the rest, if any, found no room.
  mutating func append(_ source: UnsafePointer<Float>, media: TimelineFrame, count: Int) -> Int {
    dropTail()
    return add(source, media: media, count: count)
  }

  /// The same, before or in the tail.
  mutating func add(_ source: UnsafePointer<Float>, media: TimelineFrame, count: Int) -> Int {
    let wanted = content.taken(of: count, from: media)
    if wanted < count {
      let taken = wanted > 0 ? add(source, media: media, count: wanted) : 0
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
