// SPDX-License-Identifier: Apache-2.0

extension SampleBufferPlayer {
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
