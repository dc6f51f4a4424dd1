// SPDX-License-Identifier: Apache-2.0

import MediaTime
import SampleBuffers
import Synchronization

/// One voice of a bus, as its renderer's output: a device of its own, whose frames and clock are those of
/// the one device.
///
/// It keeps the bus for as long as the renderer keeps it, and the bus keeps it until what it gave has gone
/// out.
final class BusVoice: AudioOutput, @unchecked Sendable {
  // @unchecked: what is mutable is touched only with the device's lock held.
  let bus: AudioBus
  /// Number of its lane in the bus' mix.
  let lane: Int
  private(set) weak var events: (any AudioOutputEvents)?
  private var isAskingUnderrun = false
  /// Its renderer is gone.
  private(set) var isClosed = false

  /// A voice with lane `lane` of `bus`.
  init(_ bus: AudioBus, lane: Int) { (self.bus, self.lane) = (bus, lane) }

  private var device: any AudioOutput { bus.device }

  func attach(_ events: any AudioOutputEvents) { self.events = events }

  func withLock<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R { try bus.withLock(body) }

  var isLockHeld: Bool { device.isLockHeld }

  // MARK: The device's

  var format: AudioFormat { device.format }
  var targetLength: Int64 { device.targetLength + Int64(bus.latency.load(ordering: .relaxed)) }
  var startLength: Int64 { device.startLength }
  var isPulled: Bool { device.isPulled }
  var hasDevice: Bool { device.hasDevice }
  var knownHeard: StreamFrame { device.knownHeard }
  var rewriteDistance: Int64 { device.rewriteDistance }
  var isClockExact: Bool { device.isClockExact }
  var drift: Double? { device.drift }
  var clockIdentity: ObjectIdentifier { device.clockIdentity }
  func expectSplice() { device.expectSplice() }
  func estimatedRead() -> StreamFrame { device.estimatedRead() }
  func contentChanged() { device.contentChanged() }
  func heardFrame(atHostTime hostTime: UInt64) -> StreamFrame {
    device.heardFrame(atHostTime: hostTime)
  }
  func expectedFrame(atHostTime hostTime: UInt64) -> StreamFrame? {
    device.expectedFrame(atHostTime: hostTime)
  }
  func hostTime(ofFrame frame: StreamFrame) -> UInt64? { device.hostTime(ofFrame: frame) }

  // MARK: Where it is

  func askPosition(_ answer: @escaping @Sendable (OutputPosition) -> Void) {
    bus.askPosition(answer)
  }

  /// The device has not run dry where other voices have given more: what of this one could not take its
  /// place in their midst any more is what it has missed.
  func askWhetherUnderrun() {
    guard !isAskingUnderrun else { return }
    isAskingUnderrun = true
    askPosition { [weak self] position in
      self?.isAskingUnderrun = false
      self?.events?.outputUnderran(read: position.replaceable)
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
    let read = device.estimatedRead()
    // What effects make of frames before `frame` changes with it.
    let frame = frame - Int64(bus.mix.latency)
    guard !device.isClockExact else { return frame - read }
    let replaceable = device.heardFrame(atHostTime: HostTime.now()) + device.rewriteDistance
    return frame - max(read, replaceable) - device.targetLength / 8
  }

  /// Has its renderer give more, or find out that it is too late for that.
  func needFrames() {
    let isRunning = bus.mix.transport(of: lane) == .running
    if isRunning, !isInTime(bus.mix.given(of: lane)) { return }
    events?.outputNeedsFrames()
  }

  // MARK: What it plays

  func write(
    _ range: Range<StreamFrame>, render: (UnsafeMutablePointer<Float>, StreamFrame, Int) -> Void
  ) {
    guard !range.isEmpty else { return }
    bus.mix.write(range, of: lane, heard: bus.certainlyHeard, render: render)
  }

  func writeSilence(_ range: Range<StreamFrame>) {
    bus.mix.writeSilence(range, of: lane, heard: bus.certainlyHeard)
  }

  func start() { bus.mix.start(lane) }

  func stop(afterFrame frame: StreamFrame) { bus.mix.stop(lane, after: frame) }

  /// Fades out what the voice has given, as a pause does; then the bus lets it go.
  func close() {
    withLock {
      isClosed = true
      guard bus.mix.transport(of: lane) != .stopped, device.hasDevice else {
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
