// SPDX-License-Identifier: Apache-2.0

public import SampleBuffers

/// Frames that have just been heard, and their media time.
public struct TappedAudio: Sendable {
  /// Frames as the device was given them, with volume and fades, in its format.
  ///
  /// Its time is the media time of the first frame, exact.
  public let buffer: SampleBuffer
  /// Seconds of media time that pass in a second of frames: 1 at the natural speed, less than 0 backwards,
  /// 0 in the fade out of a pause, where media time holds.
  public let rate: Double
  /// Host time in nanoseconds at which the first frame was heard; nil of an
  /// `OfflineRenderer`, and of the last frames of a device that another one has replaced.
  ///
  /// The time is what the clock knew when the frames were told. The server corrects the clock: on a busy machine the
  /// frames that follow were seen to have times up to 22 ms before those of the frames they follow.
  public let hostTime: UInt64?

  /// Frames as a tap tells them, for what reads one.
  public init(buffer: SampleBuffer, rate: Double, hostTime: UInt64?) {
    (self.buffer, self.rate, self.hostTime) = (buffer, rate, hostTime)
  }
}
