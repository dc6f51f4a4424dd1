// SPDX-License-Identifier: Apache-2.0

public import MediaTime

extension AudioRenderer {
  /// The volume as a function of media time, which `volume`, mute and the items' own are multiplied by.
  ///
  /// Each frame is as loud as it says for the media time at which that begins, whatever comes between: seeks,
  /// pauses, edits, other rates, either direction, another device. A change is heard as that of `volume` is, in a
  /// straight line of 5 ms. A player begins a new timeline with each seek and skip: there the automation of an
  /// item is what is wanted, `PlaylistItem.volumeAutomation`.
  public var volumeAutomation: VolumeAutomation {
    get { output.withLock { wanted.loudness.automation } }
    set { change { $0 = newValue } }
  }

  /// Has the volume be `volume` from media time `time` on, up to the next setting or ramp of `volumeAutomation`.
  ///
  /// - Precondition: `volume` is finite, `time` numeric.
  public func setVolume(_ volume: Float, at time: MediaTime) {
    change { $0.setVolume(volume, at: time) }
  }

  /// Has the volume go from one value to another in a straight line over a range of media time, and stay there up
  /// to the next setting or ramp of `volumeAutomation`.
  ///
  /// - Precondition: both volumes are finite, start and duration of the range numeric.
  public func setVolumeRamp(
    fromStartVolume startVolume: Float, toEndVolume endVolume: Float, timeRange: MediaTimeRange
  ) {
    change {
      $0.setVolumeRamp(
        fromStartVolume: startVolume, toEndVolume: endVolume, timeRange: timeRange)
    }
  }

  private func change(_ change: (inout VolumeAutomation) -> Void) {
    output.withLock {
      change(&wanted.loudness.automation)
      performLocked(.timelineVolume(VolumeCurve(wanted.loudness.automation)))
    }
  }
}
