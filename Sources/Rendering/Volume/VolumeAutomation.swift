// SPDX-License-Identifier: Apache-2.0

public import MediaTime
import Preconditions

/// Volume as a function of media time: ramps and settings, each from its time on up to the next one.
///
/// 1 before the first; behind a ramp its end's volume holds. In an item it counts from the item's offset zero,
/// in a renderer from the timeline's. Linear in amplitude, not clamped. The corresponding class is
/// `AVMutableAudioMixInputParameters`.
public struct VolumeAutomation: Hashable, Sendable {
  /// A straight line of the volume, or one volume from a time on where its range is empty.
  struct Ramp: Hashable, Sendable {
    let range: MediaTimeRange
    let startVolume: Float
    let endVolume: Float
  }

  /// Ramps by their starts, no two of which are alike.
  private(set) var ramps: [Ramp] = []

  /// The volume 1 throughout.
  public init() {}

  /// True where the volume is 1 throughout because nothing was set.
  public var isEmpty: Bool { ramps.isEmpty }

  /// Has the volume be `volume` from `time` on, up to the next setting or ramp.
  ///
  /// Takes the place of what begins at `time`. The corresponding call is `setVolume(_:at:)` of
  /// `AVMutableAudioMixInputParameters`.
  ///
  /// - Precondition: `volume` is finite, `time` numeric.
  public mutating func setVolume(_ volume: Float, at time: MediaTime) {
    setVolumeRamp(
      fromStartVolume: volume, toEndVolume: volume,
      timeRange: MediaTimeRange(start: time, duration: .zero))
  }

  /// Has the volume go from one value to another in a straight line over `timeRange`, and stay there up to the
  /// next setting or ramp.
  ///
  /// Takes the place of what begins within the range; a ramp that begins before it is cut off where this one
  /// begins. The corresponding call is `setVolumeRamp(fromStartVolume:toEndVolume:timeRange:)` of
  /// `AVMutableAudioMixInputParameters`.
  ///
  /// - Precondition: both volumes are finite, start and duration of the range numeric.
  public mutating func setVolumeRamp(
    fromStartVolume startVolume: Float, toEndVolume endVolume: Float, timeRange: MediaTimeRange
  ) {
    require(
      startVolume.isFinite && endVolume.isFinite,
      "a volume ramp from \(startVolume) to \(endVolume); finite numbers are permitted")
    require(
      timeRange.isValid && timeRange.start.isNumeric && timeRange.duration.isNumeric,
      "a volume ramp over \(timeRange); numeric starts and durations are permitted")
    let first = index(atOrAfter: timeRange.start)
    var end = first
    while end < ramps.count,
      ramps[end].range.start < timeRange.end || ramps[end].range.start == timeRange.start
    { end += 1 }
    ramps.replaceSubrange(
      first..<end, with: [Ramp(range: timeRange, startVolume: startVolume, endVolume: endVolume)])
  }

  /// The first ramp that does not begin before `time`.
  private func index(atOrAfter time: MediaTime) -> Int {
    var (low, high) = (0, ramps.count)
    while low < high {
      let middle = (low + high) / 2
      if ramps[middle].range.start < time { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The volume at `time`, which is numeric.
  public func volume(at time: MediaTime) -> Float {
    var i = index(atOrAfter: time)
    if i == ramps.count || ramps[i].range.start > time { i -= 1 }
    guard i >= 0 else { return 1 }
    let ramp = ramps[i]
    guard ramp.range.contains(time) else { return ramp.endVolume }
    let part = (time - ramp.range.start).seconds / ramp.range.duration.seconds
    return Float(
      Double(ramp.startVolume) + (Double(ramp.endVolume) - Double(ramp.startVolume)) * part)
  }
}
