// SPDX-License-Identifier: Apache-2.0
import MediaTime
import PulseAudio
import SampleBuffers
import TestServers
import Testing

/// A sink, its monitor, and a stream to it.
private struct Rig {
  let server: PrivateServer
  let sink: String
  let connection: PulseConnection
  let capture: MonitorCapture
  let owner = StreamRecorder()
  let stream: PlaybackStream
  var channels: Int { stream.format.channelCount }

  init(
    _ server: PrivateServer,
    format: AudioFormat = AudioFormat(sampleRate: 48_000, layout: .stereo),
    latency: Latency = .balanced, rewinds: Bool = false
  ) throws {
    self.server = server
    sink = try server.makeSink(format: format, rewinds: rewinds)
    connection = try server.connect()
    capture = try MonitorCapture(connection: connection, sink: sink, format: format)
    stream = try PlaybackStream(
      connection: connection, sink: sink, latency: latency, mediaName: "ramp", events: owner)
  }

  func write(_ frames: Range<Int64>, generation: Int64 = 0) throws {
    _ = try connection.withLock {
      try stream.write(
        at: frames.lowerBound, frames: frames.count,
        fill: Ramp.fill(channels: channels, generation: generation))
    }
  }

  func writeSilence(_ frames: Range<Int64>) throws {
    _ = try connection.withLock {
      try stream.write(at: frames.lowerBound, frames: frames.count) { samples, _, count in
        samples.initialize(repeating: 0, count: count * channels)
      }
    }
  }

  func cork(_ cork: Bool) { connection.withLock { stream.cork(cork) } }
}

@Suite struct `Playback stream` {
  @Test(arguments: [
    AudioFormat(sampleRate: 48_000, layout: .stereo),
    AudioFormat(sampleRate: 44_100, layout: .mono),
    AudioFormat(sampleRate: 96_000, layout: .surround51),
  ])
  func `a ramp comes out of the monitor frame by frame, in the sink's own format`(
    format: AudioFormat
  ) async throws {
    try await onOwnThread {
      let rig = try Rig(PrivatePulseServer.shared, format: format)
      defer { rig.stream.close() }
      #expect(rig.stream.format == format)
      try rig.write(0..<24_000)
      rig.cork(false)
      let heard = try rig.capture.sound(count: 24_000)
      let ramp = Ramp.samples(0..<24_000, channels: format.channelCount)
      #expect(Ramp.difference(heard, ramp) == nil)
    }
  }

  @Test func `a ramp comes out of PipeWire's monitor frame by frame`() async throws {
    try await onOwnThread {
      let rig = try Rig(PrivatePipeWireServer.shared)
      defer { rig.stream.close() }
      #expect(try rig.connection.serverDescription().isPipeWire)
      // PipeWire changes its quantum when a stream joins, and its monitor may then miss one. The
      // ramp comes 200 ms after that.
      try rig.writeSilence(0..<9_600)
      try rig.write(9_600..<24_000)
      rig.cork(false)
      let heard = try rig.capture.sound(count: 14_400)
      #expect(Ramp.difference(heard, Ramp.samples(9_600..<24_000, channels: 2)) == nil)
    }
  }

  @Test(arguments: [false, true])
  func `writing again at an absolute frame replaces all from exactly there`(
    onPipeWire: Bool
  ) async throws {
    try await onOwnThread {
      let server: PrivateServer =
        onPipeWire ? try PrivatePipeWireServer.shared : try PrivatePulseServer.shared
      let rig = try Rig(server, latency: .powerSaving)
      defer { rig.stream.close() }
      // The silence is for PipeWire's change of quantum.
      try rig.writeSilence(0..<9_600)
      try rig.write(9_600..<80_000)
      rig.cork(false)
      _ = try rig.capture.firstSoundFrame()
      // Odd frames, 300 ms and more ahead; over several blocks, then within one of them, with a
      // rest of that block behind it.
      let ahead = try rig.owner.timing(of: rig.stream).readFrame + 14_401
      try rig.write(ahead..<ahead + 30_000, generation: 1)
      try rig.write(ahead + 7_777..<ahead + 8_000, generation: 2)
      #expect(rig.connection.withLock { rig.stream.nextWriteFrame } == ahead + 8_000)
      try rig.write(ahead + 8_000..<ahead + 8_100, generation: 3)
      let heard = try rig.capture.sound(count: Int(ahead) + 2_400)
      let expected =
        Ramp.samples(9_600..<ahead, channels: 2)
        + Ramp.samples(ahead..<ahead + 7_777, channels: 2, generation: 1)
        + Ramp.samples(ahead + 7_777..<ahead + 8_000, channels: 2, generation: 2)
        + Ramp.samples(ahead + 8_000..<ahead + 8_100, channels: 2, generation: 3)
        + Array(repeating: 0, count: 2 * (9_600 + 2_400 - 8_100))
      #expect(Ramp.difference(heard, expected) == nil)
    }
  }

  @Test func `on a sink that rewinds, the joint is on the same frame`() async throws {
    try await onOwnThread {
      let rig = try Rig(PrivatePulseServer.shared, latency: .powerSaving, rewinds: true)
      defer { rig.stream.close() }
      try rig.write(0..<80_000)
      rig.cork(false)
      // The monitor of such a sink misses the first frames, so that it is aligned by the joint.
      let first = try rig.capture.firstSoundFrame()
      let report = try rig.owner.timing(of: rig.stream)
      let joint = report.readFrame + 14_401
      try rig.write(joint..<joint + 9_600, generation: 1)
      let heard = try rig.capture.frames(from: first, count: Int(joint) + 9_600)
      let start = Ramp.sample(joint, channel: 0, generation: 1)
      let i = try #require(heard.firstIndex(of: start))
      let expected =
        Ramp.samples(joint - 2_400..<joint, channels: 2)
        + Ramp.samples(joint..<joint + 4_800, channels: 2, generation: 1)
      let around = Array(heard[(i - 4_800)..<(i + 9_600)])
      #expect(Ramp.difference(around, expected) == nil)
    }
  }

  @Test(arguments: [false, true])
  func `after truncate nothing stale is heard, and writing goes on there`(
    onPipeWire: Bool
  ) async throws {
    try await onOwnThread {
      let server: PrivateServer =
        onPipeWire ? try PrivatePipeWireServer.shared : try PrivatePulseServer.shared
      let rig = try Rig(server, latency: .powerSaving)
      defer { rig.stream.close() }
      // The silence is for PipeWire's change of quantum.
      try rig.writeSilence(0..<9_600)
      try rig.write(9_600..<80_000)
      rig.cork(false)
      _ = try rig.capture.firstSoundFrame()
      let end = try rig.owner.timing(of: rig.stream).readFrame + 14_401
      try rig.connection.withLock { try rig.stream.truncate(at: end) }
      try rig.write(end + 100..<end + 200, generation: 1)
      let heard = try rig.capture.sound(count: Int(end) + 2_400)
      let expected =
        Ramp.samples(9_600..<end, channels: 2) + Array(repeating: 0, count: 200)
        + Ramp.samples(end + 100..<end + 200, channels: 2, generation: 1)
        + Array(repeating: 0, count: 2 * 11_800)
      #expect(Ramp.difference(heard, expected) == nil)
    }
  }

  @Test func `cork and uncork lose no frame and add only silence`() async throws {
    try await onOwnThread {
      let rig = try Rig(PrivatePulseServer.shared)
      defer { rig.stream.close() }
      #expect(rig.stream.isCorked)
      try rig.write(0..<36_000)
      rig.cork(false)
      let first = try rig.capture.firstSoundFrame()
      _ = try rig.capture.frames(from: first, count: 9_600)
      rig.cork(true)
      // In the answer the cork has happened, and the next frame to be heard is known.
      let report = try rig.owner.timing(of: rig.stream)
      #expect(!report.isPlaying)
      let pause = Int(report.readFrame)
      let silence = try rig.capture.frames(from: first + pause, count: 2_400)
      #expect(silence.allSatisfy { $0 == 0 })
      rig.cork(false)
      let heard = try rig.capture.frames(from: first, count: 60_000)
      let played = heard.filter { $0 != 0 }
      #expect(Ramp.difference(played, Ramp.samples(0..<36_000, channels: 2)) == nil)
    }
  }

  @Test func `a timing report is of a moment between question and answer`() async throws {
    try await onOwnThread {
      let rig = try Rig(PrivatePulseServer.shared)
      defer { rig.stream.close() }
      try rig.write(0..<4_800)
      for _ in 0..<20 {
        let before = HostTime.now()
        let report = try rig.owner.timing(of: rig.stream)
        #expect((before...HostTime.now()).contains(report.hostTime))
        #expect(report.roundTrip <= HostTime.now() - before)
        #expect(report.readFrame == 0)
        #expect(report.writeFrame == 4_800)
        #expect(!report.isPlaying)
      }
    }
  }

  @Test func `no more than sixteen questions are under way`() async throws {
    try await onOwnThread {
      let rig = try Rig(PrivatePulseServer.shared)
      defer { rig.stream.close() }
      // The lock keeps the answers out.
      let sent = rig.connection.withLock {
        (0..<20).map { rig.stream.requestTiming(1_000 + $0) }
      }
      #expect(sent == Array(repeating: true, count: 16) + Array(repeating: false, count: 4))
      for token in 1_000..<1_016 { try rig.owner.waitForTiming(token) }
      #expect(try rig.owner.timing(of: rig.stream).readFrame == 0)
    }
  }

  @Test(arguments: [1, 480, 96_000])
  func `a write asks once where the stream is, however long it is, and not where it is empty`(
    frames: Int
  ) async throws {
    try await onOwnThread {
      let rig = try Rig(PrivatePulseServer.shared)
      defer { rig.stream.close() }
      let counts = try rig.connection.withLock { () throws(PulseError) in
        try rig.stream.write(at: 0, frames: 0, asking: 1_000, fill: Ramp.fill(channels: 2))
        let none = rig.stream.unansweredTimingRequests > 0
        try rig.stream.write(
          at: 0, frames: frames, asking: 1_001, fill: Ramp.fill(channels: 2))
        // Fifteen more find a place, and another one does not.
        let free = (0..<16).map { _ in rig.stream.requestTiming(1_002) }
        return (none, free.count { $0 })
      }
      #expect(counts == (false, 15))
      try rig.owner.waitForTiming(1_001)
    }
  }

  @Test func `what the server granted is read back and asked for within it`() async throws {
    try await onOwnThread {
      let server = try PrivatePulseServer.shared
      let sink = try server.makeSink()
      let connection = try server.connect()
      let owner = StreamRecorder()
      for latency in [Latency.powerSaving, .balanced, .low] {
        let stream = try PlaybackStream(
          connection: connection, sink: sink, latency: latency, mediaName: "x", events: owner)
        defer { stream.close() }
        let text = try server.control(["list", "sink-inputs"])
        #expect(text.contains("Sink Input #\(try #require(stream.sinkInputIndex))"))
        #expect(stream.sinkName == sink)
        #expect(stream.deviceIndex == (try connection.sink(named: sink).index))
        let wish = latency.targetMilliseconds * 48
        #expect((wish / 2...wish).contains(stream.targetLength), "\(stream.targetLength)")
        #expect(stream.minimumRequest == latency.requestMilliseconds * 48)
      }
    }
  }

  @Test func `every latency that there can be opens a stream`() async throws {
    try await onOwnThread {
      let server = try PrivatePulseServer.shared
      let sink = try server.makeSink()
      let connection = try server.connect()
      let owner = StreamRecorder()
      for (target, request) in [(2, 1), (100, 50), (10_000, 1), (10_000, 5_000)] {
        let latency = Latency(targetMilliseconds: target, requestMilliseconds: request)
        let stream = try PlaybackStream(
          connection: connection, sink: sink, latency: latency, mediaName: "x", events: owner)
        defer { stream.close() }
        #expect(stream.targetLength > 0 && stream.minimumRequest > 0, "\(latency)")
      }
    }
  }

  @Test func `the server's volume for the stream is mirrored`() async throws {
    try await onOwnThread {
      let rig = try Rig(PrivatePulseServer.shared)
      defer { rig.stream.close() }
      let index = String(try #require(rig.stream.sinkInputIndex))
      try rig.server.control(["set-sink-input-volume", index, "50%"])
      // PulseAudio's volumes are cubic: half is an eighth.
      #expect(try rig.owner.waitForVolume(0.124...0.126) == rig.stream.outputVolume)
      try rig.server.control(["set-sink-input-volume", index, "100%"])
      #expect(try rig.owner.waitForVolume(0.999...1.001) == 1)
    }
  }

  /// PipeWire converts a stream of another format, and puts it where a user moved this application to.
  @Test func `a stream has the format of the sink that PipeWire puts it on`() async throws {
    try await onOwnThread {
      let rig = try Rig(PrivatePipeWireServer.shared)
      defer { rig.stream.close() }
      let surround = AudioFormat(sampleRate: 48_000, layout: .surround51)
      let other = try rig.server.makeSink(format: surround)
      func open() throws -> PlaybackStream {
        try PlaybackStream(connection: rig.connection, mediaName: "kept", events: rig.owner)
      }
      var stream = try open()
      let limit = HostTime.now() + 10_000_000_000
      // A move is forgotten at times.
      while stream.sinkName != other {
        guard HostTime.now() < limit else { throw StreamRecorder.Timeout(what: "a kept move") }
        let input = String(try #require(stream.sinkInputIndex))
        try rig.server.control(["move-sink-input", input, other])
        stream.close()
        stream = try open()
      }
      #expect(stream.format == surround)
      #expect(try stream.firstDeviceIndex == rig.connection.sink(named: other).index)
      stream.close()
      try rig.server.removeSink(other)
    }
  }

  @Test func `a move and a suspension are told`() async throws {
    try await onOwnThread {
      let rig = try Rig(PrivatePulseServer.shared)
      defer { rig.stream.close() }
      let other = try rig.server.makeSink()
      try rig.write(0..<24_000)
      rig.cork(false)
      _ = try rig.capture.firstSoundFrame()
      let index = String(try #require(rig.stream.sinkInputIndex))
      try rig.server.control(["move-sink-input", index, other])
      try rig.owner.waitForMove()
      #expect(rig.stream.sinkName == other)
      try rig.server.control(["suspend-sink", other, "1"])
      try rig.owner.waitForSuspension(true)
      try rig.server.control(["suspend-sink", other, "0"])
      try rig.owner.waitForSuspension(false)
    }
  }

  @Test func `an underflow names the first missing frame`() async throws {
    try await onOwnThread {
      let rig = try Rig(PrivatePulseServer.shared)
      defer { rig.stream.close() }
      try rig.write(0..<4_801)
      rig.cork(false)
      #expect(try rig.owner.waitForUnderflow() == 4_801)
    }
  }

  @Test func `the device clock is what the monitor hears`() async throws {
    try await onOwnThread {
      let server = try PrivatePulseServer.shared
      let sink = try server.makeSink()
      let connection = try server.connect()
      let capture = try MonitorCapture(
        connection: connection, sink: sink, fragment: .milliseconds(40))
      let owner = StreamRecorder()
      let stream = try PlaybackStream(
        connection: connection, sink: sink, latency: .powerSaving, mediaName: "x", events: owner)
      defer { stream.close() }
      try connection.withLock {
        try stream.write(at: 0, frames: 96_000, fill: Ramp.fill(channels: 2))
        stream.cork(false)
      }
      let first = try capture.firstSoundFrame()
      var clock = DeviceClock(sampleRate: 48_000)
      var last = Int64.min
      for step in 1...24 {
        _ = try capture.frames(from: first, count: step * 2_400)
        clock.update(try owner.timing(of: stream), now: HostTime.now())
        let heard = clock.line.heardFrame(atHostTime: HostTime.now())
        #expect(heard >= last)
        last = heard
      }
      // The sink renders a block of 40 ms, which the monitor gets at once, in pieces, when it
      // starts to play it. First pieces are in time or late, so the least difference is the clock's
      // error: 2 ms.
      let arrivals = Array(capture.arrivals.suffix(40))
      let blocks = zip(arrivals, arrivals.dropFirst()).filter {
        $1.hostTime - $0.hostTime > 20_000_000
      }
      let errors = blocks.map {
        clock.line.heardFrame(atHostTime: $1.hostTime) - Int64($1.frame - first)
      }
      let least = try #require(errors.min())
      #expect((-96...96).contains(least), "\(errors) frames")
    }
  }
}
