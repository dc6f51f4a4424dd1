// SPDX-License-Identifier: Apache-2.0

public import MediaTime
import PulseDevice

extension SampleBufferPlayer {
  /// The gain of what is played, 1 for unchanged: `renderer.volume`.
  ///
  /// The corresponding property is `AVPlayer.volume`.
  public var volume: Float {
    get { renderer.volume }
    set { renderer.volume = newValue }
  }

  /// True where what is played is silent, its volume being kept: `renderer.isMuted`.
  ///
  /// The corresponding property is `AVPlayer.isMuted`.
  public var isMuted: Bool {
    get { renderer.isMuted }
    set { renderer.isMuted = newValue }
  }

  /// Time from now until a change that is asked for now is heard: `renderer.earliestChange`.
  public var earliestChange: MediaTime { renderer.earliestChange }

  /// Has the volume go to another value in a straight line over `duration` of what is heard:
  /// `renderer.fade(to:over:)`.
  ///
  /// - Precondition: `duration` is numeric and not negative.
  public func fade(to volume: Float, over duration: MediaTime) {
    renderer.fade(to: volume, over: duration)
  }

  /// True where playing pauses when the device that it is heard on goes away, or headphones are pulled out of it; false,
  /// the default, has it go on on the other device.
  ///
  /// The pause is asked for as soon as the sound server tells, so a few milliseconds may be heard elsewhere. After
  /// `PlaybackEvent.routeDidChange`, of `oldDeviceUnavailable` or with no device at all, `timeControlStatus` is
  /// `.paused`; `play()` goes on where it is now. The sound server itself going away is another thing: playing goes on
  /// when it is back.
  public var pausesWhenUnplugged: Bool {
    get { playlist.queue.snapshot.pausesWhenUnplugged }
    set {
      playlist.queue.edit { state, _ in
        state.pausesWhenUnplugged = newValue
        return []
      }
    }
  }

  /// The sink to play on; nil for the user's default, and where the sound goes to no sound server.
  ///
  /// Setting it while playing moves the sound there, as `PulseAudioRenderer.outputDevice` says;
  /// `PlaybackEvent.routeDidChange` or `deviceRefused` follows. Without a sound server it does
  /// nothing.
  public var outputDevice: String? {
    get { (renderer as? PulseAudioRenderer)?.outputDevice }
    set { (renderer as? PulseAudioRenderer)?.outputDevice = newValue }
  }
}
