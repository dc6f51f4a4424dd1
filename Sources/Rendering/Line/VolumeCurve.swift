// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// A volume automation as the render path reads it: straight lines, in an order that a search finds.
///
/// Immutable. The render path has its memory alone, which whoever renders keeps by keeping the curve.
package final class VolumeCurve: @unchecked Sendable {
  /// One straight line, up to the next one's start.
  struct Segment: Equatable {
    /// Seconds of media time; minus infinity for the first.
    let start: Double
    /// The volume at `start`.
    let volume: Double
    /// By how much that rises in a second.
    let slope: Double
  }

  // @unchecked: written by `init` alone. Owned: allocated there, freed in `deinit`.
  private let memory: UnsafeMutablePointer<Segment>
  let count: Int

  /// Lines of `automation`; nil where it sets nothing.
  package init?(_ automation: VolumeAutomation) {
    guard !automation.isEmpty else { return nil }
    var segments = [Segment(start: -.infinity, volume: 1, slope: 0)]
    for (i, ramp) in automation.ramps.enumerated() {
      let (start, end) = (Self.seconds(ramp.range.start), Self.seconds(ramp.range.end))
      let (from, to) = (Double(ramp.startVolume), Double(ramp.endVolume))
      guard end > start else {
        segments.append(Segment(start: start, volume: to, slope: 0))
        continue
      }
      segments.append(Segment(start: start, volume: from, slope: (to - from) / (end - start)))
      let isCut =
        i + 1 < automation.ramps.count && automation.ramps[i + 1].range.start <= ramp.range.end
      if !isCut { segments.append(Segment(start: end, volume: to, slope: 0)) }
    }
    count = segments.count
    memory = .allocate(capacity: count)
    memory.initialize(from: segments, count: count)
  }

  deinit { memory.deallocate() }

  var segments: UnsafePointer<Segment> { UnsafePointer(memory) }

  /// Tells whether two curves say the same.
  static func isSame(_ a: VolumeCurve?, _ b: VolumeCurve?) -> Bool {
    guard let a, let b else { return a == nil && b == nil }
    return a === b
      || a.count == b.count && (0..<a.count).allSatisfy { a.memory[$0] == b.memory[$0] }
  }

  /// Frames of any rate that far from zero are whole numbers of 64 bits.
  private static func seconds(_ time: MediaTime) -> Double {
    let furthest = 0x1p40
    return min(max(time.seconds, -furthest), furthest)
  }
}
