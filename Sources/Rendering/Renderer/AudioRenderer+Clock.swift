// SPDX-License-Identifier: Apache-2.0

package import MediaTime
import SampleBuffers

// Any thread, without a lock that the output takes.
extension AudioRenderer {
  /// Timeline frames in a second of media time, of what is heard last.
  package var timelineRate: Int { publishedMap.read().last.rate }

  /// The time at which the timeline holds while nothing is to be heard; nil while it runs.
  package var heldTime: RationalTime? {
    output.withLock {
      line.transport == .running ? nil : RationalTime(line.idleMedia, rate: line.rate)
    }
  }

  /// Returns what is heard at a host time.
  func reading(atHostTime hostTime: UInt64) -> ClockReading {
    let (map, end) = publishedMap.readWithEnd()
    let now = output.clock.heardFrame(atHostTime: hostTime)
    // The device goes on for a moment behind the last frame of what is finished. One frame of that
    // counts: an item's exact end may lie behind its last one, by less than a frame.
    let heard = end.map { min(now, $0 + 1) } ?? now
    let isOver = end.map { now > $0 } ?? false
    let piece = map.piece(at: heard)
    let first = map.first(ofTraversal: piece.traversal)
    let last = map.last
    // The splices on their way to the listener; the last one is the next that matters here.
    let next = last.stream > heard ? last.stream : isOver ? nil : end
    let changesAt = next.flatMap { output.clock.hostTime(ofFrame: $0 + (next == end ? 1 : 0)) }
    return ClockReading(
      ticks: MediaTicks.ticks(ofFrame: piece.media(at: heard), at: piece.rate),
      traversal: piece.traversal,
      traversalStart: MediaTicks.ticks(ofFrame: first.media, at: first.rate),
      speed: piece.isRunning && !isOver ? Double(format.sampleRate) / Double(piece.rate) : 0,
      isReversed: piece.isReversed,
      end: end.map {
        let piece = map.piece(at: $0)
        return MediaTicks.ticks(ofFrame: piece.media(at: $0), at: piece.rate)
      },
      changesAt: changesAt, lastTraversal: last.traversal)
  }

  /// The host time at which a tick of the timeline is heard.
  func hostTime(ofTicks ticks: Int64) -> UInt64? {
    let map = publishedMap.read()
    let heard = output.heardFrame
    let piece = map.piece(at: heard)
    let media = MediaTicks.frame(atOrAfter: ticks, at: piece.rate)
    if piece == map.last {
      return map.stream(ofMedia: media).flatMap { output.clock.hostTime(ofFrame: $0) }
    }
    // Another piece is on its way to the listener: what comes before it is in this one.
    let frame = piece.stream + (media - piece.media)
    guard piece.isRunning, frame < map.last.stream else { return nil }
    return output.clock.hostTime(ofFrame: frame)
  }
}
