// SPDX-License-Identifier: Apache-2.0
import Foundation
import PulseAudio
import SampleBuffers
import TestServers
import Testing

/// Last references to a stream and its connection that go while libpulse is in one of their callbacks.
///
/// In processes of their own: what is freed too early ends the process.
@Suite struct `Closing in a callback` {
  @Test func `a stream that the server ends may take its connection with it`() async {
    await #expect(processExitsWith: .success) {
      let server = try PrivatePulseServer()
      for _ in 0..<20 { try leave(in: .failed, on: server) { try server.removeSink($0) } }
      server.stop()
    }
  }

  @Test func `any other callback may be the last`() async {
    await #expect(processExitsWith: .success) {
      let server = try PrivatePulseServer()
      let other = try server.makeSink()
      for _ in 0..<5 {
        try leave(in: .moved, on: server) { _ in try move(to: other, on: server) }
        try leave(in: .suspended, on: server) {
          try server.control(["suspend-sink", $0, "1"])
        }
        try leave(in: .volumeChanged, on: server) { _ in
          try server.control(["set-sink-input-volume", sinkInput(of: server), "50%"])
        }
        try leave(in: .underflowed, on: server) { _ in }
      }
      server.stop()
    }
  }

  @Test func `a connection may go when it is told that the server has`() async {
    await #expect(processExitsWith: .success) {
      for _ in 0..<3 {
        let server = try PrivatePulseServer()
        _ = try server.makeSink()
        let owner = Leaver(in: .failed)
        try playAndRecord(on: server, owner)
        server.signal(SIGKILL)
        owner.waitUntilGone()
        server.stop()
      }
    }
  }

  @Test func `a recorder whose source goes may take its connection with it`() async {
    await #expect(processExitsWith: .success) {
      let server = try PrivatePulseServer()
      for _ in 0..<20 {
        let sink = try server.makeSink()
        let owner = Leaver(in: .failed)
        owner.recorder = try recorder(of: sink, on: server, owner) { _, _, _ in }
        try server.removeSink(sink)
        owner.waitUntilGone()
        try server.control(["info"])
        owner.checkIsLeftAlone()
      }
      server.stop()
    }
  }

  @Test func `a recorder may go with what it has received`() async {
    await #expect(processExitsWith: .success) {
      let server = try PrivatePulseServer()
      let sink = try server.makeSink()
      for _ in 0..<20 {
        let owner = Leaver(in: .received)
        try owner.take(recorder(of: sink, on: server, owner) { _, _, _ in owner.leave(.received) })
        owner.waitUntilGone()
      }
      server.stop()
    }
  }
}

/// Has a stream's owner let it go in `callback`, on a sink of its own, once `body` has been done to that.
private func leave(
  in callback: Leaver.Callback, on server: PrivateServer, _ body: (_ sink: String) throws -> Void
) throws {
  let sink = try server.makeSink()
  let owner = Leaver(in: callback)
  try play(on: server, sink, owner)
  try body(sink)
  owner.waitUntilGone()
  try server.removeSink(sink)
  // By then whatever followed the callback is over.
  try server.control(["info"])
  owner.checkIsLeftAlone()
}

/// Leaves the only references to what is opened with `owner`.
private func play(on server: PrivateServer, _ sink: String, _ owner: Leaver) throws {
  let stream = try PlaybackStream(
    connection: server.connect(), sink: sink, latency: .low, mediaName: "x", events: owner)
  try stream.connection.withLock {
    owner.stream = stream
    try stream.write(at: 0, frames: 4_800, fill: Ramp.fill(channels: 2))
    stream.cork(false)
    // Answers that are under way when it goes.
    for _ in 0..<4 { stream.requestTiming() }
  }
}

private func playAndRecord(on server: PrivateServer, _ owner: Leaver) throws {
  // Whichever is told first lets both go.
  let connection = try server.connect(onFailure: { _ in owner.leave(.failed) })
  owner.stream = try PlaybackStream(connection: connection, mediaName: "x", events: owner)
  owner.recorder = try RecordingStream(
    connection: connection, source: nil, format: AudioFormat(sampleRate: 48_000, layout: .stereo),
    fragment: .milliseconds(10), mediaName: "x", onFailure: { _ in owner.leave(.failed) }
  ) { _, _, _ in }
}

private func recorder(
  of sink: String, on server: PrivateServer, _ owner: Leaver,
  _ receiver: @escaping RecordingStream.Receiver
) throws -> RecordingStream {
  try RecordingStream(
    connection: server.connect(), source: sink + ".monitor",
    format: AudioFormat(sampleRate: 48_000, layout: .stereo), fragment: .milliseconds(5),
    mediaName: "x", onFailure: { _ in owner.leave(.failed) }, receiver: receiver)
}

private func sinkInput(of server: PrivateServer) throws -> String {
  let line = try server.control(["list", "short", "sink-inputs"])
  return line.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
}

private func move(to sink: String, on server: PrivateServer) throws {
  try server.control(["move-sink-input", sinkInput(of: server), sink])
}

/// Lets its stream or recorder, and with it the connection, go in one kind of callback.
///
/// `@unchecked Sendable`: everything mutable is touched under `condition` only.
private final class Leaver: PlaybackStreamEvents, @unchecked Sendable {
  enum Callback { case failed, moved, suspended, volumeChanged, underflowed, received }

  private let condition = NSCondition()
  private let callback: Callback
  private var calls = 0
  private var isGone = false
  private var storedStream: PlaybackStream?
  private var storedRecorder: RecordingStream?

  init(in callback: Callback) { self.callback = callback }

  var stream: PlaybackStream? {
    get { condition.withLock { storedStream } }
    set { condition.withLock { storedStream = newValue } }
  }

  var recorder: RecordingStream? {
    get { condition.withLock { storedRecorder } }
    set { condition.withLock { storedRecorder = newValue } }
  }

  /// Keeps `recorder` until it has received something, which may have been so already.
  func take(_ recorder: RecordingStream) {
    condition.withLock { if calls == 0 { storedRecorder = recorder } }
  }

  func leave(_ callback: Callback) {
    let left = condition.withLock { () -> (PlaybackStream?, RecordingStream?) in
      guard callback == self.callback else { return (nil, nil) }
      calls += 1
      defer { (storedStream, storedRecorder) = (nil, nil) }
      return (storedStream, storedRecorder)
    }
    left.0?.close()
    left.1?.close()
    condition.withLock {
      if callback == self.callback { isGone = true }
      condition.broadcast()
    }
  }

  func waitUntilGone() {
    condition.lock()
    defer { condition.unlock() }
    let end = Date(timeIntervalSinceNow: 20)
    while !isGone { precondition(condition.wait(until: end), "\(callback) within 20 s") }
  }

  /// Traps where anything was told after it was gone.
  func checkIsLeftAlone() {
    condition.withLock { precondition(calls == 1, "\(callback) told \(calls) times") }
  }

  func failed(_ error: PulseError, on stream: PlaybackStream) { leave(.failed) }
  func moved(_ stream: PlaybackStream) { leave(.moved) }
  func suspended(_ isSuspended: Bool, on stream: PlaybackStream) { leave(.suspended) }
  func outputVolumeChanged(on stream: PlaybackStream) { leave(.volumeChanged) }
  func underflowed(at frame: Int64, on stream: PlaybackStream) { leave(.underflowed) }
}
