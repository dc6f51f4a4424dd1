// SPDX-License-Identifier: Apache-2.0
import Foundation
import PulseAudio

/// An owner that notes what its stream tells, and lets a test wait for it.
///
/// `@unchecked Sendable`: everything noted is touched under `condition` only.
final class StreamRecorder: PlaybackStreamEvents, @unchecked Sendable {
  private let condition = NSCondition()
  private var reports: [Int: TimingReport?] = [:]
  private var errors: [PulseError] = []
  private var suspensions: [Bool] = []
  private var volumes: [Float] = []
  private var moves = 0
  private var underflows: [Int64] = []
  private var requests: [Int] = []
  private var token = 0

  private func note(_ body: () -> Void) {
    condition.withLock {
      body()
      condition.broadcast()
    }
  }

  func framesRequested(_ frames: Int, by stream: PlaybackStream) {
    note { requests.append(frames) }
  }
  func timingArrived(_ report: TimingReport?, token: Int, on stream: PlaybackStream) {
    note { reports[token] = .some(report) }
  }
  func underflowed(at frame: Int64, on stream: PlaybackStream) { note { underflows.append(frame) } }
  func moved(_ stream: PlaybackStream) { note { moves += 1 } }
  func suspended(_ isSuspended: Bool, on stream: PlaybackStream) {
    note { suspensions.append(isSuspended) }
  }
  func outputVolumeChanged(on stream: PlaybackStream) {
    note { volumes.append(stream.outputVolume) }
  }
  func failed(_ error: PulseError, on stream: PlaybackStream) { note { errors.append(error) } }

  struct Timeout: Error { let what: String }

  /// Waits until `value` gives something, 10 s at most.
  private func wait<R>(for what: String, _ value: () -> R?) throws -> R {
    let end = Date(timeIntervalSinceNow: 10)
    condition.lock()
    defer { condition.unlock() }
    while true {
      if let value = value() { return value }
      guard condition.wait(until: end) else { throw Timeout(what: what) }
    }
  }

  /// A fresh timing report of `stream`.
  func timing(of stream: PlaybackStream) throws -> TimingReport {
    let token = condition.withLock { () -> Int in
      self.token += 1
      return self.token
    }
    guard stream.connection.withLock({ stream.requestTiming(token) }) else {
      throw Timeout(what: "a question for the time")
    }
    guard let report = try wait(for: "timing", { reports[token] }) else {
      throw Timeout(what: "timing that the server gives")
    }
    return report
  }

  func waitForTiming(_ token: Int) throws {
    try wait(for: "timing \(token)") { reports[token] == nil ? nil : () }
  }
  func waitForFailure() throws -> PulseError { try wait(for: "failure") { errors.first } }
  func waitForVolume(_ volume: ClosedRange<Float>) throws -> Float {
    try wait(for: "volume in \(volume)") { volumes.last.flatMap { volume.contains($0) ? $0 : nil } }
  }
  func waitForMove() throws { try wait(for: "move") { moves > 0 ? () : nil } }
  func waitForSuspension(_ isSuspended: Bool) throws {
    try wait(for: "suspended \(isSuspended)") { suspensions.last == isSuspended ? () : nil }
  }
  func waitForUnderflow() throws -> Int64 { try wait(for: "underflow") { underflows.first } }
  var failureCount: Int { condition.withLock { errors.count } }
  var requestCount: Int { condition.withLock { requests.count } }
}
