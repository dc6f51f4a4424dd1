// SPDX-License-Identifier: Apache-2.0

import MediaTime
import PulseAudio
import Rendering
import Synchronization

/// Clock of an output: the frame that is heard at a time, also where its stream is gone.
///
/// What is published any thread reads without a lock; all else is touched with the mainloop's lock held.
final class StreamClock: OutputClock, @unchecked Sendable {
  // @unchecked: the estimate and `shownUpTo` are touched with the mainloop's lock held only.
  private var estimate: DeviceClock
  /// The clock has shown this frame before its stream was lost.
  private(set) var shownUpTo: StreamFrame = 0
  private let published: PublishedClock
  /// Parts per million as the bits of a `Double`, no number where it is not known.
  private let publishedDrift = Atomic<UInt64>(Double.nan.bitPattern)

  init(sampleRate: Int) {
    estimate = DeviceClock(sampleRate: sampleRate)
    published = PublishedClock(.init(line: estimate.line, shownUpTo: 0, trustedUntil: .max))
  }

  // MARK: With the lock held

  /// The frame heard at each host time, by the last report.
  var line: ClockLine { estimate.line }

  /// By how many parts in a million the device is faster than the host's clock; nil where unknown.
  var estimatedDrift: Double? { estimate.isDriftKnown ? estimate.partsPerMillion : nil }

  /// Stands at frame `frame` of a stream, of which nothing is known.
  func begin(sampleRate: Int, at frame: StreamFrame) {
    estimate = DeviceClock(sampleRate: sampleRate, at: frame.number)
  }

  /// Shows no frame before `frame` from now on, once published.
  func raise(to frame: StreamFrame) { shownUpTo = max(shownUpTo, frame) }

  /// May show any frame: their numbers mean something else.
  func forgetShown() { shownUpTo = 0 }

  /// Takes a report in.
  ///
  /// - Returns: whether it was used.
  func update(_ report: TimingReport, now: UInt64) -> Bool { estimate.update(report, now: now) }

  /// Has all threads see the clock as it is, which holds from host time `trustedUntil` on.
  func publish(trustedUntil: UInt64) {
    publishedDrift.store((estimatedDrift ?? .nan).bitPattern, ordering: .relaxed)
    published.publish(.init(line: estimate.line, shownUpTo: shownUpTo, trustedUntil: trustedUntil))
  }

  /// The frame heard at a host time by the reports, though the clock may show a later one; nil without a report.
  func estimatedHeard(atHostTime hostTime: UInt64) -> StreamFrame? {
    estimate.estimatedFrame(atHostTime: hostTime).map { StreamFrame($0) }
  }

  /// Stands where it is shown to be now; what has been told of the stream is forgotten.
  func freeze() { stand { $0.freeze(atHostTime: $1) } }

  /// Stands where it is shown to be now, as the server was silent; the next report tells whether the stream stood, too.
  func hold() { stand { $0.hold(atHostTime: $1) } }

  private func stand(_ body: (inout DeviceClock, _ hostTime: UInt64) -> Void) {
    let shown = published.read()
    let now = HostTime.now()
    raise(to: shown.heardFrame(atHostTime: now))
    body(&estimate, min(now, shown.trustedUntil))
    publish(trustedUntil: .max)
  }

  // MARK: On any thread

  /// The clock as it was published last.
  var reading: PublishedClock.Reading { published.read() }

  /// True where the server has been silent for so long that the clock holds.
  var isHeld: Bool { HostTime.now() >= published.read().trustedUntil }

  func heardFrame(atHostTime hostTime: UInt64) -> StreamFrame {
    published.read().heardFrame(atHostTime: hostTime)
  }

  func expectedFrame(atHostTime hostTime: UInt64) -> StreamFrame? {
    let reading = published.read()
    // What it says of a later time holds, should the server go on to answer.
    guard reading.line.isRunning, HostTime.now() < reading.trustedUntil else { return nil }
    return reading.line.heard(atHostTime: hostTime)
  }

  func hostTime(ofFrame frame: StreamFrame) -> UInt64? {
    published.read().hostTime(ofFrame: frame, now: HostTime.now())
  }

  var isExact: Bool { false }

  var drift: Double? {
    let drift = Double(bitPattern: publishedDrift.load(ordering: .relaxed))
    return drift.isNaN ? nil : drift
  }
}
