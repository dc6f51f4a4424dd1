// SPDX-License-Identifier: Apache-2.0

package import MediaTime

extension VolumeAutomation {
  /// Straight lines that the product of two sloping ones is made of: within 10^-6 of it where both go over all of the
  /// volume.
  private static let pieces: Int64 = 512

  /// The automation times a ramp from one volume to another over `range`, which holds the last behind it.
  ///
  /// - Precondition: the range is not empty.
  package func multiplied(
    byRampFrom startVolume: Float, to endVolume: Float, over range: MediaTimeRange
  ) -> VolumeAutomation {
    var result = self
    guard !isEmpty else {
      result.setVolumeRamp(fromStartVolume: startVolume, toEndVolume: endVolume, timeRange: range)
      return result
    }
    let edges = ramps.flatMap { [$0.range.start, $0.range.end] } + [range.start, range.end]
    let places = edges.filter { $0 >= range.start }.sorted()
    for (start, end) in zip(places, places.dropFirst()) where start < end {
      let count = start < range.end ? Self.pieces : 1
      let nanoseconds = RationalTime(end - start).frames(at: 1_000_000_000)
      func place(_ piece: Int64) -> MediaTime {
        if piece == count { return end }
        let part = nanoseconds / count * piece + nanoseconds % count * piece / count
        return start + MediaTime(value: part, timescale: 1_000_000_000)
      }
      for piece in 0..<count {
        let (from, to) = (place(piece), place(piece + 1))
        let middle = MediaTime(
          value: (RationalTime(from) + RationalTime(to)).frames(at: 500_000_000),
          timescale: 1_000_000_000)
        let before = volume(at: from)
        result.setVolumeRamp(
          fromStartVolume: before * factor(at: from, startVolume, endVolume, range),
          // What begins at `to` is the next one's.
          toEndVolume: (2 * volume(at: middle) - before)
            * factor(at: to, startVolume, endVolume, range),
          timeRange: MediaTimeRange(start: from, duration: to - from))
      }
    }
    if let last = places.last { result.setVolume(volume(at: last) * endVolume, at: last) }
    return result
  }

  private func factor(
    at time: MediaTime, _ startVolume: Float, _ endVolume: Float, _ range: MediaTimeRange
  ) -> Float {
    if time >= range.end { return endVolume }
    let part = (time - range.start).seconds / range.duration.seconds
    return startVolume + (endVolume - startVolume) * Float(part)
  }
}
