// SPDX-License-Identifier: Apache-2.0

import MediaTime
import SampleBuffers
import Synchronization

/// One voice of a bus, as its renderer's output: a device of its own, whose frames and clock are those of
/// the one device.
///
/// It keeps the bus for as long as the renderer keeps it, and the bus keeps it until what it gave has gone
/// out.
final class BusVoice: AudioOutput, OutputLock, @unchecked Sendable {
  private enum Stage {
    /// Its renderer is there.
    case open
    /// The device has been asked whether what the voice gave is still in time.
    case askingUnderrun
    /// Its renderer is gone.
    case closed
  }

  // @unchecked: what is mutable is touched only with the device's lock held.
  let bus: AudioBus
  /// Number of its lane in the bus' mix.
  let lane: Int
  private(set) weak var events: (any AudioOutputEvents)?
  private var stage = Stage.open

  /// A voice with lane `lane` of `bus`.
  init(_ bus: AudioBus, lane: Int) { (self.bus, self.lane) = (bus, lane) }

  private var device: any AudioOutput { bus.device }

  func attach(_ events: any AudioOutputEvents) { self.events = events }

  /// True where its renderer is gone.
  var isClosed: Bool { stage == .closed }

  // MARK: The device's

  /// The device's lock; what has changed by the time it is given up the bus tells the device.
  var lock: any OutputLock { self }
  func withLock<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R { try bus.withLock(body) }
  var isHeld: Bool { device.lock.isHeld }
  var clock: any OutputClock { device.clock }
  var reading: OutputReading { device.reading }
  var traits: OutputTraits {
    var traits = device.traits
    traits.targetLength += Int64(bus.latency.load(ordering: .relaxed))
    return traits
  }
  func expectSplice() { device.expectSplice() }

  // MARK: Where it is

  func askPosition(_ answer: @escaping @Sendable (OutputPosition) -> Void) {
    bus.askPosition(answer)
  }

  /// The device has not run dry where other voices have given more: what of this one could not take its
  /// place in their midst any more is what it has missed.
  func askWhetherUnderrun() {
    guard stage == .open else { return }
    stage = .askingUnderrun
    askPosition { [weak self] position in
      guard let self, stage == .askingUnderrun else { return }
      stage = .open
      events?.outputUnderran(read: position.replaceable)
    }
  }

  func isInTime(_ frame: StreamFrame) -> Bool {
    guard !device.isPulled, framesToSpare(before: frame) <= 0 else { return true }
    askWhetherUnderrun()
    return false
  }

  /// Frames that the device may still take before it is asked whether this voice, which has given all up to
  /// `frame`, has run dry.
  func framesToSpare(before frame: StreamFrame) -> Int64 {
    let reading = device.reading
    // What effects make of frames before `frame` changes with it.
    let frame = frame - Int64(bus.mix.latency)
    guard !device.clock.isExact else { return frame - reading.read }
    let replaceable = device.heardFrame + reading.rewriteDistance
    return frame - max(reading.read, replaceable) - device.traits.targetLength / 8
  }

  /// Has its renderer give more, or find out that it is too late for that.
  func needFrames() {
    let isRunning = bus.mix.transport(of: lane) == .running
    if isRunning, !isInTime(bus.mix.given(of: lane)) { return }
    events?.outputNeedsFrames()
  }

  // MARK: What it plays

  func write(
    _ range: Range<StreamFrame>, of kind: OutputFrames,
    render: (UnsafeMutablePointer<Float>, StreamFrame, Int) -> Void
  ) {
    let heard = bus.certainlyHeard
    let end =
      switch kind {
      case .content: range.upperBound
      case .fadeOut(let end): end
      case .silence: range.lowerBound
      }
    if range.lowerBound < end {
      bus.mix.write(range.lowerBound..<end, of: lane, heard: heard, render: render)
    }
    guard kind != .content else { return }
    bus.mix.writeSilence(end..<range.upperBound, of: lane, heard: heard)
  }

  func setTransport(_ transport: OutputTransport) {
    switch transport {
    case .running: bus.mix.start(lane)
    case .stopping(let frame): bus.mix.stop(lane, after: frame)
    }
  }

  /// Fades out what the voice has given, as a pause does; then the bus lets it go.
  func close() {
    withLock {
      stage = .closed
      guard bus.mix.transport(of: lane) != .stopped, device.reading.hasDevice else {
        return bus.remove(self)
      }
      askPosition { [self] position in
        guard bus.mix.transport(of: lane) != .stopped else { return bus.remove(self) }
        let length = Fade.standard.frames(at: device.format.sampleRate)
        bus.mix.fadeOut(lane, at: position.replaceable, length: length)
      }
    }
  }
}
