// SPDX-License-Identifier: Apache-2.0

package import MediaTime
package import SampleBuffers

/// The mover of a renderer's line: a sound server's stream, a clock, or someone who pulls.
///
/// The renderer decides what is heard; an output only carries it. `lock`, `traits` and `clock` are for any thread;
/// everything else but `close()` is called with the lock held.
package protocol AudioOutput: OutputQuestions, AnyObject, Sendable {
  /// Lock that guards the output, and the line of whoever is attached to it.
  var lock: any OutputLock { get }

  /// Format and lengths of what the device is given now.
  var traits: OutputTraits { get }

  /// Clock of the device, the same object for as long as the output lives.
  var clock: any OutputClock { get }

  /// Place of the output as it knows it now.
  var reading: OutputReading { get }

  /// Takes frames `range` of `kind`, which `render` puts into memory piece by piece; what the output has from
  /// `range.lowerBound` on is replaced.
  func write(
    _ range: Range<StreamFrame>, of kind: OutputFrames,
    render: (UnsafeMutablePointer<Float>, StreamFrame, Int) -> Void)

  /// Has the device's time run, or stop.
  func setTransport(_ transport: OutputTransport)

  /// Has `events` told what happens from now on.
  func attach(_ events: any AudioOutputEvents)

  /// Lets go of the device. Called once, without the lock.
  func close()
}

extension AudioOutput {
  /// Runs `body` with the output's lock held, for microseconds: nothing may wait inside.
  package func withLock<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    try lock.withLock(body)
  }

  /// Format of the frames that the device plays.
  package var format: AudioFormat { traits.format }

  /// True where frames are taken as fast as they are made, not in a device's time.
  package var isPulled: Bool { traits.puller != nil }

  /// The frame being heard now.
  package var heardFrame: StreamFrame { clock.heardFrame(atHostTime: HostTime.now()) }

  /// The frame before which all has been heard, by the clock and by what the device has told.
  package var certainlyHeard: StreamFrame { min(heardFrame, reading.heard) }

  /// Takes frames `range` of the line; what the output has from `range.lowerBound` on is replaced.
  package func write(
    _ range: Range<StreamFrame>, render: (UnsafeMutablePointer<Float>, StreamFrame, Int) -> Void
  ) { write(range, of: .content, render: render) }

  /// Takes frames `range` of the line, and silence from there to `end`, at once; what the output has from
  /// `range.lowerBound` on is replaced.
  package func writeFadeOut(
    _ range: Range<StreamFrame>, silentUntil end: StreamFrame,
    render: (UnsafeMutablePointer<Float>, StreamFrame, Int) -> Void
  ) {
    let channels = format.channelCount
    write(range.lowerBound..<end, of: .fadeOut(until: range.upperBound)) { target, frame, count in
      let heard = Int(min(max(0, range.upperBound - frame), Int64(count)))
      if heard > 0 { render(target, frame, heard) }
      (target + heard * channels).update(repeating: 0, count: (count - heard) * channels)
    }
  }

  /// Takes silence for frames `range`; what the output has from `range.lowerBound` on is replaced.
  package func writeSilence(_ range: Range<StreamFrame>) {
    let channels = format.channelCount
    write(range, of: .silence) { target, _, count in
      target.update(repeating: 0, count: count * channels)
    }
  }

  /// Has the device's time run.
  package func start() { setTransport(.running) }

  /// Has the device's time stop once `frame` has been heard.
  package func stop(afterFrame frame: StreamFrame) { setTransport(.stopping(after: frame)) }
}
