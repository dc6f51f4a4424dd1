// SPDX-License-Identifier: Apache-2.0

import Attacca
import Dispatch
import Foundation
import MediaTime
import PulseAudio
import TestServers

/// A player on a sink of its own, and what the sink's monitor hears.
///
/// Everything that waits blocks its thread: use it `onOwnThread`.
struct ServerPlayback: Sendable {
  let server: PrivateServer
  let sink: String
  let latency: Latency
  let capture: MonitorCapture
  let renderer: PulseAudioRenderer
  let player: SampleBufferPlayer
  let events: EventLog
  private let seat: Seat

  init(
    _ server: PrivateServer, _ paths: [String] = [],
    format: AudioFormat = AudioFormat(sampleRate: 48_000, layout: .stereo),
    latency: Latency = .responsive, fade: Fade = .standard, seat: Seat? = nil,
    rewinds: Bool = TestedServer.rewinds, fragment: Duration = .milliseconds(10)
  ) throws {
    (self.server, self.latency) = (server, latency)
    let seat = seat ?? Seat()
    self.seat = seat
    sink = try server.makeSink(format: format, rewinds: rewinds)
    seat.leave { [server, sink] in
      do { try server.removeSink(sink) } catch { print("\(sink) stays: \(error)") }
    }
    capture = try MonitorCapture(
      connection: server.connect(), sink: sink, format: format, fragment: fragment)
    renderer = try server.makeRenderer(on: sink, latency: latency)
    player = SampleBufferPlayer(renderer: renderer, fade: fade)
    events = EventLog(player.events)
    player.playlist.append(contentsOf: paths.map { PlaylistItem(path: $0) })
  }

  /// Milliseconds of the blocks that PulseAudio's sink takes: of the player's, or of the recorder's fragments
  /// of 10 ms, whichever is less.
  static func block(at latency: Latency) -> Double {
    min(Double(latency.targetMilliseconds - 2 * latency.requestMilliseconds) / 2, 10)
  }

  /// Waits until media time crosses `frame`.
  func waitUntilHeard(frame: Int) throws {
    let rate = Int32(renderer.format.sampleRate)
    let crossed = DispatchSemaphore(value: 0)
    let observation = player.synchronizer.addBoundaryTimeObserver(
      forTimes: [MediaTime(value: Int64(frame), timescale: rate)], queue: .global()
    ) { crossed.signal() }
    defer { observation.cancel() }
    // On a busy machine it may have been crossed before anyone looked.
    for _ in 0..<200 {
      if crossed.wait(timeout: .now() + 0.1) == .success { return }
      if player.synchronizer.currentTime() >= MediaTime(value: Int64(frame), timescale: rate) {
        return
      }
    }
    throw Unmet("media frame \(frame) within 20 s; now is \(player.synchronizer.currentTime())")
  }

  /// Waits until the monitor has heard `frames` frames more.
  func listen(frames: Int) throws {
    _ = try capture.frames(from: capture.frameCount + frames, count: 0)
  }

  /// Waits until numbered frame `number` has been recorded, from frame `first` of the recording on, or one within 50 ms
  /// behind it, as of a seek that came late; 10 s at most.
  ///
  /// Beside three other runs of tests one came later than 10 ms.
  func listen(for number: Int, since first: Int) throws {
    let channels = renderer.format.channelCount
    let numbers = Float(number + 1)...Float(number + 2_400)
    for next in stride(from: first, to: first + 480_000, by: 480) {
      let samples = try capture.frames(from: next, count: 480)
      for i in stride(from: 0, to: samples.count, by: channels)
      where numbers ~= samples[i] * Float(Heard.frameLimit) { return }
    }
    throw Unmet("frame \(number) within 10 s; \(renderer.lateSpliceCount) splices came late")
  }

  /// Waits for the end of the queue, and for a tenth of a second behind it, in which nothing is to
  /// be heard.
  func finish() throws -> [Float] {
    try events.wait("the end of the queue") { $0 == "end" }
    try listen(frames: renderer.format.sampleRate / 10)
    return capture.recording
  }

  /// Waits until `isTrue`, looked at whenever another 10 ms have been recorded; 10 s at most.
  func wait(_ what: String, until isTrue: () throws -> Bool) throws {
    for _ in 0..<1_000 {
      if try isTrue() { return }
      try listen(frames: renderer.format.sampleRate / 100)
    }
    throw Unmet("\(what) within 10 s")
  }
}

/// Looks every millisecond until `condition` holds no more, for 10 s at most; else throws that `what` was waited for.
func wait(for what: @autoclosure () -> String, while condition: () -> Bool) throws {
  let limit = HostTime.now() + 10_000_000_000
  while condition() {
    guard HostTime.now() < limit else { throw Unmet(what()) }
    Thread.sleep(forTimeInterval: 0.001)
  }
}

/// What was waited for in vain.
struct Unmet: Error, CustomStringConvertible {
  let description: String
  init(_ what: String) { description = "waited in vain for \(what)" }
}
