// SPDX-License-Identifier: Apache-2.0

import MediaTime

// Any thread, without a lock that the output takes.
extension AudioRenderer {
  /// Timeline frames in a second of media time, of what is heard last.
  var timelineRate: Int { publishedMap.read().last.rate }

  /// Where media time holds while nothing is to be heard; nil while it runs.
  var heldTime: RationalTime? {
    output.withLock {
      line.transport == .running ? nil : RationalTime(frames: line.idleMedia, rate: line.rate)
    }
  }

  /// What is heard at a host time.
  func reading(atHostTime hostTime: UInt64) -> ClockReading {
    let map = publishedMap.read()
    let heard = output.heardFrame(atHostTime: hostTime)
    let piece = map.piece(at: heard)
    let first = map.first(ofTraversal: piece.traversal)
    let last = map.last
    // The splices on their way to the listener; the last one is the next that matters here.
    let changesAt = last.stream > heard ? output.hostTime(ofFrame: last.stream) : nil
    return ClockReading(
      ticks: MediaTicks.ticks(ofFrame: piece.media(at: heard), at: piece.rate),
      traversal: piece.traversal,
      traversalStart: MediaTicks.ticks(ofFrame: first.media, at: first.rate),
      rate: piece.isRunning ? Double(format.sampleRate) / Double(piece.rate) : 0,
      changesAt: changesAt)
  }

  /// The host time at which a tick of media time is heard.
  func hostTime(ofTicks ticks: Int64) -> UInt64? {
    let map = publishedMap.read()
    let heard = output.heardFrame(atHostTime: HostTime.now())
    let piece = map.piece(at: heard)
    let media = MediaTicks.frame(atOrAfter: ticks, at: piece.rate)
    if piece == map.last {
      return map.stream(ofMedia: media).flatMap { output.hostTime(ofFrame: $0) }
    }
    // Another piece is on its way to the listener: what comes before it is in this one.
    let frame = piece.stream + (media - piece.media)
    guard piece.isRunning, frame < map.last.stream else { return nil }
    return output.hostTime(ofFrame: frame)
  }
}
