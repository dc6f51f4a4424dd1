// SPDX-License-Identifier: Apache-2.0

import Attacca
import PulseAudio
import TestServers
import Testing

/// The clock against the monitor for as long as wanted.
@Suite(.enabled(if: Soak.minutes != nil)) struct ClockSoakTests {
  /// Frames of the item that is heard over and over.
  private static let length = 20 * 48_000

  /// What the clock said at a host time, in seconds and nanoseconds.
  private struct Look {
    let hostTime: Double
    let seconds: Double
  }

  private struct Listening {
    var looks: [Look] = []
    /// The seconds of media time that had arrived at a host time, in nanoseconds.
    var arrivals: [(seconds: Double, hostTime: Double)] = []
    /// Recorded frames that were not the next one.
    var misses: [Int] = []
  }

  private static func play(
    _ sound: TestSound, _ server: PrivateServer, minutes: Double
  ) throws -> ServerPlayback {
    let item = try sound.numbered(1, frames: length)
    // It is opened again for each time it is played.
    return try ServerPlayback(
      server, Array(repeating: item, count: Int(minutes * 3) + 4), fade: .none)
  }

  /// Looks at the clock at each fragment that arrives.
  private static func listen(_ playback: ServerPlayback, minutes: Double) throws -> Listening {
    playback.player.play()
    let capture = playback.capture
    let start = try capture.firstSoundFrame()
    var heard = Listening()
    // The recorded frame, and the media frame that it should be.
    var (place, media) = (0, -start)
    while capture.frameCount < start + Int(minutes * 60 * 48_000) {
      let before = HostTime.now()
      let seconds = playback.player.synchronizer.currentTime().seconds
      let after = HostTime.now()
      // Only looks that nothing came in between of.
      if after - before < 300_000 {
        heard.looks.append(Look(hostTime: Double(before) / 2 + Double(after) / 2, seconds: seconds))
      }
      try playback.listen(frames: 100)
      let (samples, arrivals) = capture.takeWithArrivals()
      var rest = samples[...]
      for arrival in arrivals {
        for sample in stride(from: 0, to: 2 * arrival.count, by: 2) {
          let found = rest[rest.startIndex + sample]
          if media >= 0, found != number(of: media) {
            heard.misses.append(place)
            // Where a server misses a cycle, what comes then is heard later, or never.
            let next = Int((found * Float(Heard.frameLimit)).rounded()) - 1
            let apart = next - media % length
            media +=
              next < 0 ? -1 : apart - length * Int((Double(apart) / Double(length)).rounded())
          }
          (place, media) = (place + 1, media + 1)
        }
        rest = rest.dropFirst(2 * arrival.count)
        // The silence before came in the blocks of a sink that nobody plays on, and so 5.9 ms earlier.
        guard media > 0 else { continue }
        heard.arrivals.append((Double(media) / 48_000, Double(arrival.hostTime)))
      }
    }
    return heard
  }

  /// The sample that media frame `media` has.
  private static func number(of media: Int) -> Float {
    Float(media % length + 1) / Float(Heard.frameLimit)
  }

  /// What the clock was ahead of the monitor at each look, in milliseconds.
  private static func errors(_ heard: Listening) -> [Double] {
    // A recorded frame can arrive late but not early: the earliest of each second, and of ten of them.
    // The sink's time is the host's but for what it rounds, and that adds up over minutes.
    var earliest: [Double] = []
    for arrival in heard.arrivals {
      let second = Int(arrival.seconds)
      while earliest.count <= second { earliest.append(.infinity) }
      earliest[second] = min(earliest[second], arrival.hostTime - arrival.seconds * 1e9)
    }
    return heard.looks.map { look in
      let second = min(max(0, Int(look.seconds)), earliest.count - 1)
      let zero = earliest[max(0, second - 5)...min(second + 5, earliest.count - 1)].min()!
      return look.seconds * 1e3 - (look.hostTime - zero) / 1e6
    }
  }

  /// Prints what was heard; returns by how much the clock was off `lead`, what it should be ahead of the
  /// recorder as a rule, and how far it was from that rule.
  private static func compare(
    _ heard: Listening, _ server: String, lead: Double
  ) -> (constant: Double, off: Distribution) {
    let errors = Distribution(errors(heard))
    let off = errors.distances(from: errors.median)
    print(
      """
      clock on \(server): \(heard.looks.count) looks in \(heard.looks.last!.seconds.short) s, the constant \
      \(errors.median.short) ms; off by 50 % \(off.median.short) ms, 99 % \(off.percentile(99).short) ms, \
      worst \(off.largest.short) ms; \(heard.misses.count) frames that were not the next one
      """)
    return (errors.median - lead, off)
  }

  /// Reads the clock in bursts of 10,000 that are spread over the minutes.
  ///
  /// - Returns: how often it was read, and the first time that lay before the one read before it.
  private static func read(
    _ playback: ServerPlayback, count: Int, minutes: Double
  ) throws -> (count: Int, backwards: String?) {
    let (synchronizer, capture) = (playback.player.synchronizer, playback.capture)
    let start = try capture.firstSoundFrame()
    let bursts = count / 10_000
    var (last, backwards) = (MediaTime.zero, String?.none)
    for burst in 1...bursts {
      for _ in 0..<10_000 {
        let time = synchronizer.currentTime()
        if time < last, backwards == nil { backwards = "\(time) after \(last)" }
        last = time
      }
      let frames = minutes * 60 * 48_000 * Double(burst) / Double(bursts)
      _ = try capture.frames(from: start + Int(frames), count: 0)
    }
    return (bursts * 10_000, backwards)
  }

  @Test func `on PulseAudio the clock is what the monitor hears, and never goes backwards`()
    async throws
  {
    let minutes = try #require(Soak.minutes)
    let sound = try TestSound()
    let playback = try await onOwnThread {
      try Self.play(sound, PrivatePulseServer.shared, minutes: minutes)
    }
    // In less than two minutes so many reads would be most of what this machine does.
    let wanted = Int(10e6 * min(1, minutes / 2))
    async let reading = onOwnThread { try Self.read(playback, count: wanted, minutes: minutes) }
    let heard = try await onOwnThread { try Self.listen(playback, minutes: minutes) }
    let (constant, off) = Self.compare(
      heard, "PulseAudio",
      lead: TestedServer.clockLead(cycle: 0, block: ServerPlayback.block(at: .responsive)))
    let reads = try await reading
    print("clock on PulseAudio: \(reads.count) reads, backwards: \(reads.backwards ?? "none")")
    #expect(abs(constant) <= 1)
    #expect(off.median <= 0.5)
    #expect(off.percentile(99) <= 2)
    #expect(reads.backwards == nil)
    #expect(heard.misses == [])
    #expect(playback.renderer.underrunCount == 0)
  }

  @Test func `on PipeWire the clock is what the monitor hears, to a third of a cycle`() async throws
  {
    let minutes = try #require(Soak.minutes)
    let quantum = 1_024
    let sound = try TestSound()
    try await onOwnThread {
      let server = try PrivatePipeWireServer(quantum: quantum)
      defer { server.stop() }
      let playback = try Self.play(sound, server, minutes: minutes)
      let heard = try Self.listen(playback, minutes: minutes)
      let cycle = Double(quantum) / 48
      let (constant, off) = Self.compare(
        heard, "PipeWire, a quantum of \(quantum) frames",
        lead: TestedServer.clockLead(cycle: cycle, block: ServerPlayback.block(at: .responsive)))
      #expect(abs(constant) <= cycle / 3)
      #expect(off.percentile(99) <= cycle / 3)
      #expect(heard.misses == [])
      #expect(playback.renderer.underrunCount == 0)
    }
  }
}
