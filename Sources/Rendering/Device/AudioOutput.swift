// SPDX-License-Identifier: Apache-2.0

package import MediaTime
package import SampleBuffers

/// The position of an output, in stream frames, as the output has just told it.
package struct OutputPosition {
  /// The first frame that a rewrite now replaces if nothing delays it; the output tells where
  /// something did.
  var soonest: StreamFrame
  /// The first frame that a rewrite now is still sure to replace; the next one that the device will
  /// take, or a little later.
  var replaceable: StreamFrame
  /// The same for what would lose frames if it came late, as a start would: rather a block later.
  var safe: StreamFrame

  /// A position of which all three frames are given.
  package init(soonest: StreamFrame, replaceable: StreamFrame, safe: StreamFrame) {
    (self.soonest, self.replaceable, self.safe) = (soonest, replaceable, safe)
  }
}

/// The mover of a renderer's line: a sound server's stream, a clock, or someone who pulls.
///
/// The renderer decides what is heard; an output only carries it. Everything but `lock`, `position`,
/// and `heardFrame` is called with the output's lock held.
package protocol AudioOutput: AnyObject, Sendable {
  /// The format of the frames that the device plays.
  var format: AudioFormat { get }
  /// Frames that the device is given ahead of what it has read.
  var targetLength: Int64 { get }

  /// Frames that have to be there before the device starts, where it is given as many; the lock held.
  var startLength: Int64 { get }

  /// True where frames are taken as fast as they are made, not in a device's time.
  var isPulled: Bool { get }

  /// Runs `body` with the output's lock held. Held for microseconds: nothing may wait inside.
  func withLock<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R

  /// True on a thread that holds the output's lock.
  var isLockHeld: Bool { get }

  /// A splice at once is being prepared, and `askPosition` will follow; with the lock held.
  func expectSplice()

  /// Has the output tell its position, with its lock held: at once, or soon after on its own thread.
  ///
  /// Requests may be answered together; each is answered once, in order.
  func askPosition(_ answer: @escaping @Sendable (OutputPosition) -> Void)

  /// The output may have gone past what it was given: has it told through `outputUnderran`, now or
  /// soon, where it really is.
  func askWhetherUnderrun()

  /// The stream frame that the output reads next, by its clock.
  func estimatedRead() -> StreamFrame

  /// The stream frame before which all has been heard for certain. Frames from there on may be wanted again.
  var knownHeard: StreamFrame { get }

  /// Frames from the one that is heard now to the first that a rewrite now is sure to replace.
  var rewriteDistance: Int64 { get }

  /// True where there is a device. Without one the output's time stands still: nothing is written, and
  /// what is asked for takes place at the frame that was heard last.
  var hasDevice: Bool { get }

  /// Tells whether what is written from `frame` on is sure to be there before it is read; where not, the
  /// output finds out where it is and tells `outputNeedsFrames()`, or `outputUnderran(read:)`.
  func isInTime(_ frame: StreamFrame) -> Bool

  /// The frame being heard at a host time in nanoseconds; any thread, without the lock.
  func heardFrame(atHostTime hostTime: UInt64) -> StreamFrame

  /// The frame that will be heard, or was, at a host time if nothing changes; nil where the clock
  /// does not know. Any thread, without the lock.
  func expectedFrame(atHostTime hostTime: UInt64) -> StreamFrame?

  /// True where `expectedFrame` does not get better with time.
  var isClockExact: Bool { get }

  /// By how many parts in a million the device is faster than the host's clock; nil where unknown.
  /// Any thread, without the lock.
  var drift: Double? { get }

  /// Identity of the clock: two outputs with the same one need not have their times compared.
  var clockIdentity: ObjectIdentifier { get }

  /// The host time in nanoseconds at which `frame` is heard if nothing changes; nil while stopped.
  func hostTime(ofFrame frame: StreamFrame) -> UInt64?

  /// Takes frames `range` of the line; what the output has from `range.lowerBound` on is replaced.
  func write(
    _ range: Range<StreamFrame>, render: (UnsafeMutablePointer<Float>, StreamFrame, Int) -> Void)

  /// Takes frames `range` of the line as it is now, which are the last before silence: what the line
  /// has there later is not heard.
  func writeFadeOut(
    _ range: Range<StreamFrame>, render: (UnsafeMutablePointer<Float>, StreamFrame, Int) -> Void)

  /// Takes silence for frames `range` of the line; what the output has from `range.lowerBound` on is
  /// replaced.
  func writeSilence(_ range: Range<StreamFrame>)

  /// The device's time runs.
  func start()

  /// The device's time stops once `frame` has been heard.
  func stop(afterFrame frame: StreamFrame)

  /// Content was added to the line, or its end is known.
  func contentChanged()

  /// Has `events` told what happens from now on.
  func attach(_ events: any AudioOutputEvents)

  /// Lets go of the device. Called once, without the lock.
  func close()
}

extension AudioOutput {
  package var isPulled: Bool { false }

  package var rewriteDistance: Int64 {
    max(0, estimatedRead() - heardFrame(atHostTime: HostTime.now()))
  }

  package var startLength: Int64 { Int64(format.sampleRate / 4) }

  package func expectSplice() {}

  package func writeFadeOut(
    _ range: Range<StreamFrame>, render: (UnsafeMutablePointer<Float>, StreamFrame, Int) -> Void
  ) { write(range, render: render) }

  package func writeSilence(_ range: Range<StreamFrame>) {
    let channels = format.channelCount
    write(range) { target, _, count in target.update(repeating: 0, count: count * channels) }
  }

  package var clockIdentity: ObjectIdentifier { ObjectIdentifier(self) }
}

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
  /// A rewrite reached the device `frames` frames too late, or may have: `read` is the first frame that had not
  /// been taken, as far as is known, and from there on can still be replaced where it `isDelayable`.
  ///
  /// - Returns: whether nothing of it will be noticed.
  func outputSpliceWasLate(by frames: Int64, read: StreamFrame, isDelayable: Bool) -> Bool
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
}

extension AudioOutput {
  package var hasDevice: Bool { true }
}
