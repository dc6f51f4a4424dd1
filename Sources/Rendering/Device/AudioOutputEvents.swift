// SPDX-License-Identifier: Apache-2.0

package import MediaTime

/// The receiver of what happens to an output: a renderer, or a bus.
///
/// Called with the output's lock held.
package protocol AudioOutputEvents: AnyObject, Sendable {
  /// The device has taken frames, there is room for more.
  func outputNeedsFrames()
  /// The device may have gone past what it was given; `read` is where it is now.
  func outputUnderran(read: StreamFrame)
  /// Frames written from `frame` on came too late; `outputRestarted` follows, from there on.
  func outputMissed(from frame: StreamFrame)
  /// The device's time has stopped after a `stop(afterFrame:)`.
  func outputStopped()
  /// The relation of frames and host time is known anew.
  func outputClockChanged()
  /// A rewrite reached the device too late for its frames `missed`, or may have: `read` is the first frame that had
  /// not been taken, as far as is known, and from there on can still be replaced where it `isDelayable`.
  ///
  /// - Returns: whether nothing of it will be noticed.
  func outputSpliceWasLate(for missed: Range<StreamFrame>, read: StreamFrame, isDelayable: Bool)
    -> Bool
  /// A rewrite was there in time.
  func outputSpliceWasInTime()
  /// The device stops before all it was given has been heard: another one will be given it again.
  func outputLosesDevice()
  /// There is a device again, or another one, of the same format. What comes before stream frame
  /// `heard` has been heard for certain, and the clock stands at `clock`: `heard` lies before it
  /// where the device was lost, and after it where it told where it stopped.
  ///
  /// - Returns: the first frame that the device is to be given.
  func firstFrameOfDevice(heard: StreamFrame, clock: StreamFrame) -> StreamFrame
  /// First of the frames from `frame` on that are to be heard again: what was asked for since is heard
  /// at once, and nothing before it.
  func firstFrameAgain(from frame: StreamFrame) -> StreamFrame
  /// First frame that another device can be given: those before are with this one only.
  var firstFrameToHandOver: StreamFrame { get }
  /// The device is there and begins with stream frame `first`: all from there on is to be written.
  func outputRestarted(at first: StreamFrame)
  /// There is another device, of another format, which `format` tells from now on; its frames count
  /// from 0. The old one has played up to stream frame `end`.
  func outputReplaced(at end: StreamFrame)
  /// Something else that is told on.
  func outputTells(_ event: RendererEvent)
  /// The output will not play any more.
  func outputFailed(_ error: any Error)
  /// True once the last frame of finished media has been heard, or none will be any more.
  var isOver: Bool { get }
  /// True where a `stop(afterFrame:)` was for the end of finished media, which is to be heard; the end of a pause need
  /// not be.
  var isDraining: Bool { get }
}
