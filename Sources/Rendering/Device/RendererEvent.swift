// SPDX-License-Identifier: Apache-2.0

public import MediaTime

/// An event of a renderer that nobody asked for at that moment.
public enum RendererEvent: Sendable {
  /// Everything from `at` on was discarded by a change of the output, not by a `flush`: it goes to a
  /// device of another format. Media time holds at `at`. What is enqueued before the next `flush()` is
  /// dropped; enqueued again from `at` on after it, it is heard as soon as there is enough of it.
  ///
  /// The corresponding notification is `AVSampleBufferAudioRendererWasFlushedAutomatically`.
  case wasFlushedAutomatically(at: MediaTime)
  /// Another device plays from now on.
  ///
  /// The corresponding notification is
  /// `AVSampleBufferAudioRendererOutputConfigurationDidChange`.
  case outputConfigurationDidChange
  /// The sound server or the device is gone. Media time holds, nothing that was enqueued is lost, and
  /// it goes on as soon as there is a device again.
  ///
  /// The corresponding notification is `AVAudioSession.mediaServicesWereLostNotification`.
  case outputLost(any Error)
  /// There is a device again after `outputLost`.
  ///
  /// The corresponding notification is `AVAudioSession.mediaServicesWereResetNotification`.
  case outputReturned
  /// The sound goes to another device, or to none.
  case routeDidChange(RouteChange)
  /// Another one's sound, or the device itself, is in the way of this one.
  case interruptionBegan(Interruption)
  /// The interruption that had begun is over.
  case interruptionEnded(Interruption)
  /// The server's volume or mute of this stream has been changed by someone.
  case outputVolumeDidChange(Float, isMuted: Bool)
  /// The device that was asked for cannot be played on; the present one is played on.
  case deviceRefused(String, any Error)
  /// The algorithm that was asked for does not reach the rate: pitch follows it, as with `varispeed`.
  case pitchFollowsRate(AudioTimePitchAlgorithm, rate: Double)
  /// The device ran out of frames before media time `at`, which is heard as soon as there are more.
  case underrun(at: MediaTime)
  /// A rewrite came too late by `frames` frames, or may have: at most so many of the new ones were not
  /// heard. Where the device took frames while the rewrite was on its way, nobody knows.
  case lateSplice(frames: Int64)
  /// The last frame of finished media has been heard.
  case drained
  /// The output failed for good: the server refuses what no waiting changes, as it wants another
  /// cookie or speaks another version of the protocol.
  case failed(any Error)
}
