// SPDX-License-Identifier: Apache-2.0

import Attacca
import Dispatch
import MediaTime
import Synchronization

/// An output whose time the test sets, and which can no more replace what lies within `reach` of it; within
/// `soonest` where a fade hides what is late.
final class SteppedOutput: AudioOutput, OutputClock, OutputLock, @unchecked Sendable {
  // @unchecked: everything mutable but the position, which is atomic, is touched only between wait and
  // signal of `semaphore`.
  let traits: OutputTraits
  private let semaphore = OwnedSemaphore()
  private let storedPosition = Atomic<Int64>(0)
  /// The frame that is heard next.
  var position: StreamFrame { StreamFrame(storedPosition.load(ordering: .relaxed)) }
  private let reach: Int64
  private let soonest: Int64
  /// How many frames of what can still be replaced its clock takes for heard.
  let early = Atomic<Int64>(0)
  private var storedStopAfter: StreamFrame?
  /// The frame after which it was last told to stop, unless it was told to go on since.
  var stopsAfter: StreamFrame? { withLock { storedStopAfter } }
  private weak var events: (any AudioOutputEvents)?
  /// Answers that wait for `answer()`; nil where questions are answered at once.
  private var held: [@Sendable (OutputPosition) -> Void]?
  /// Called when the position is asked for, before the answer, with the lock held.
  private let storedAsked = Mutex<(@Sendable () -> Void)?>(nil)
  /// Called by whoever is about to take the lock.
  private let storedEntered = Mutex<(@Sendable () -> Void)?>(nil)
  /// Called by whoever has looked at the clock, before the look is told.
  private let storedLooked = Mutex<(@Sendable () -> Void)?>(nil)
  var asked: (@Sendable () -> Void)? {
    get { storedAsked.withLock { $0 } }
    set { storedAsked.withLock { $0 = newValue } }
  }
  var entered: (@Sendable () -> Void)? {
    get { storedEntered.withLock { $0 } }
    set { storedEntered.withLock { $0 = newValue } }
  }
  var looked: (@Sendable () -> Void)? {
    get { storedLooked.withLock { $0 } }
    set { storedLooked.withLock { $0 = newValue } }
  }
  /// The frames that it was given, of one channel, where they are kept; what comes too late is not.
  private var given: [Float]?
  private var storedHeard: [Float] = []
  /// What has been heard since `record()`, of one channel; silence where nothing was given.
  var heard: [Float] { withLock { storedHeard } }
  /// The frames that it was given last.
  private(set) var lastWrite: Range<StreamFrame> = 0..<0
  /// True while it answers as a server does that is too slow for what it has: that nothing of that can be replaced.
  var isFar = false
  /// How many splices it was told to expect.
  let expectedSplices = Atomic<Int>(0)

  /// It holds `seconds` of frames.
  init(reach: Int64, soonest: Int64? = nil, sampleRate: Int = 48_000, seconds: Int = 1) {
    (self.reach, self.soonest) = (reach, soonest ?? reach)
    traits = OutputTraits(
      format: AudioFormat(sampleRate: sampleRate, layout: .mono),
      targetLength: Int64(seconds * sampleRate))
  }

  /// Keeps what is heard from here on, of its very first frames on.
  func record() { withLock { given = [] } }

  /// Has `frame` heard next, everything before it having been heard.
  func step(to frame: StreamFrame) {
    withLock {
      defer {
        storedPosition.store(frame.number, ordering: .relaxed)
        hear()
      }
      guard let end = storedStopAfter, end <= frame else { return }
      // Whoever looks at the clock meanwhile must not see media time run on behind the end.
      storedPosition.store(end.number, ordering: .relaxed)
      storedStopAfter = nil
      events?.outputStopped()
    }
  }

  /// The frame before which it has taken all, whatever its clock says.
  private var taken: StreamFrame { position - early.load(ordering: .relaxed) }

  private func hear() {
    guard let given, Int(taken.number) > storedHeard.count else { return }
    let missing = [Float](repeating: 0, count: max(0, Int(taken.number) - given.count))
    storedHeard += (given + missing)[storedHeard.count..<Int(taken.number)]
  }

  /// Has `frame` heard next, as a device that has not noticed yet that it is to stop before.
  func overrun(to frame: StreamFrame) { storedPosition.store(frame.number, ordering: .relaxed) }

  /// Tells that it expects to be at `read` before it can be given more, wherever it is.
  func runDry(expectedAt read: StreamFrame) { withLock { events?.outputUnderran(read: read) } }

  /// Answers no question from now on until `answer()`, as a server that is slow.
  func holdAnswers() { withLock { held = [] } }

  /// Answers what has been asked, and what is asked from now on at once.
  func answer() {
    withLock {
      let due = held ?? []
      held = nil
      for answer in due { askPosition(answer) }
    }
  }

  func withLock<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    entered?()
    return try semaphore.withLock(body)
  }

  var isHeld: Bool { semaphore.isHeld }
  var lock: any OutputLock { self }
  var clock: any OutputClock { self }

  func askPosition(_ answer: @escaping @Sendable (OutputPosition) -> Void) {
    asked?()
    guard held == nil else {
      held?.append(answer)
      return
    }
    let far = isFar ? 2 * traits.targetLength : 0
    answer(
      OutputPosition(
        soonest: taken + soonest, replaceable: taken + max(soonest, far),
        safe: taken + max(reach, far)))
  }

  func expectSplice() { expectedSplices.add(1, ordering: .relaxed) }
  func askWhetherUnderrun() {}
  var reading: OutputReading {
    OutputReading(read: position, heard: taken, rewriteDistance: reach)
  }
  func isInTime(_ frame: StreamFrame) -> Bool { true }
  func heardFrame(atHostTime hostTime: UInt64) -> StreamFrame {
    let heard = position
    looked?()
    return heard
  }
  func expectedFrame(atHostTime hostTime: UInt64) -> StreamFrame? { nil }
  var isExact: Bool { true }
  var drift: Double? { nil }
  func hostTime(ofFrame frame: StreamFrame) -> UInt64? { nil }
  func write(
    _ range: Range<StreamFrame>, of kind: OutputFrames,
    render: (UnsafeMutablePointer<Float>, StreamFrame, Int) -> Void
  ) {
    lastWrite = range
    guard var frames = given, !range.isEmpty else { return }
    let (begin, end) = (Int(range.lowerBound.number), Int(range.upperBound.number))
    // What was written before behind that is silence.
    frames.removeLast(max(0, frames.count - end))
    frames += [Float](repeating: 0, count: max(0, end - frames.count))
    frames.withUnsafeMutableBufferPointer {
      render($0.baseAddress! + begin, range.lowerBound, end - begin)
    }
    given = frames
  }
  func setTransport(_ transport: OutputTransport) {
    switch transport {
    case .running: storedStopAfter = nil
    case .stopping(let frame): storedStopAfter = frame
    }
  }
  func attach(_ events: any AudioOutputEvents) { self.events = events }
  func close() {}
}

/// A renderer of one channel at 48 kHz on an output whose time the test sets, with the synchronizer that
/// moves it.
func steppedLine(reach: Int64, soonest: Int64? = nil, fade: Fade = .none)
  -> (output: SteppedOutput, renderer: AudioRenderer, synchronizer: RenderSynchronizer)
{
  let output = SteppedOutput(reach: reach, soonest: soonest)
  let renderer = AudioRenderer(output: output, quality: .veryHigh)
  let synchronizer = RenderSynchronizer()
  synchronizer.fade = fade
  synchronizer.addRenderer(renderer)
  return (output, renderer, synchronizer)
}
