// SPDX-License-Identifier: Apache-2.0

import Attacca
import PulseAudio
@testable import PulseDevice
@testable import Rendering
import TestServers
import Testing

/// Both kinds of sink, as long as their blocks are without a recorder that makes them short.
@Suite struct SinkTests {
  private static let length = 5 * 48_000
  /// PipeWire hands a recorder of long fragments what it has 2 s late, and nothing of it at the end.
  private static let fragment: Duration = TestedServer.isPipeWire ? .milliseconds(10) : .seconds(2)

  /// A kind of sink, a latency, and whether another stream plays there that asks for blocks of 500 ms.
  struct Place: CustomTestStringConvertible, Sendable {
    let rewinds: Bool
    let latency: Latency
    let isBeside: Bool

    /// Frames of a start that the monitor may not hear.
    ///
    /// A sink that rewinds had taken silence when the stream was started, of which its monitor has the
    /// first piece of memory, 8,184 frames, at once: it holds back what the sink had ahead before that piece
    /// (`pa_source_output_push`). What takes its place the sink plays, and the monitor does not hear. The first 5 ms,
    /// 240 frames, are another piece.
    var unheard: Int { rewinds ? 8_184 + 240 : 0 }

    var testDescription: String {
      "\(rewinds ? "rewinding" : "not rewinding"), \(latency.targetMilliseconds)/"
        + "\(latency.requestMilliseconds) ms, \(isBeside ? "beside another" : "alone")"
    }
  }

  static let places = (TestedServer.isPipeWire ? [false] : [false, true]).flatMap { rewinds in
    [Latency.responsive, .powerSaving, .balanced, .low].flatMap { latency in
      [false, true].map { Place(rewinds: rewinds, latency: latency, isBeside: $0) }
    }
  }

  @Test(arguments: places)
  func `every frame of a start, a pause, a joint, a seek and a skip is heard in order`(
    place: Place
  ) async throws {
    try await onOwnThread {
      let sound = try TestSound()
      let paths = try [1, 2, 3].map { try sound.numbered($0, frames: Self.length) }
      // What has 60 ms in the server runs dry in a debug build beside two others.
      let isAlone = place.latency == .low
      let (playback, (recording, told)) = try inTime {
        let playback = try ServerPlayback(
          TestedServer.shared, paths, latency: place.latency, fade: .none,
          seat: isAlone ? Seat(taking: Seat.all) : nil, rewinds: place.rewinds,
          fragment: Self.fragment)
        let other = place.isBeside ? try SilentStream(on: playback) : nil
        defer { other?.close() }
        let player = playback.player
        player.play()
        try playback.waitUntilHeard(frame: 30_011)
        let paused = HostTime.now()
        player.pause()
        try playback.listen(frames: 4_800)
        let resumed = HostTime.now()
        player.play()
        try playback.waitUntilHeard(frame: 60_000)
        player.seek(to: MediaTime(value: 200_003, timescale: 48_000))
        // Over the joint.
        try playback.waitUntilHeard(frame: Self.length + 20_000)
        player.next()
        try playback.events.wait("the third item") { $0 == "current 3.wav" }
        // A sound that a sink has taken and given back its monitor may have, ahead of when it was to be heard: only
        // the time tells.
        let frames = (resumed - paused) * 48 / 1_000_000
        return (playback, (try playback.finish(), "resumed \(frames) frames behind the pause"))
      }
      let heard = Heard.sound(recording)
      // 60 ms run dry beside another program that takes all it can get (one of 16 places beside `stress-ng --cpu 5`):
      // that is told, and loses no frame.
      let underruns = playback.renderer.underrunCount
      #expect(underruns <= (place.latency == .low ? 2 : 0))
      // A pause that is taken back before it is heard is not.
      let silences = Heard.trimmed(recording).filter {
        if case .silence = $0 { true } else { false }
      }
      #expect(
        silences.count <= 1 + 2 * underruns,
        "the pause and \(underruns) underruns: \(Heard.trimmed(recording)), \(told)")
      let joined = Self.joined(heard, over: underruns, on: place)
      try Self.expect(
        place.rewinds ? Self.joined(joined, atResume: playback.server.rewoundBytes) : joined,
        on: place, "\(heard), \(underruns) underruns, \(told), \(playback.events.sentences)")
    }
  }

  /// Takes each fade in behind one of `underruns`, of 240 frames, for the frames that it is of, and what the monitor
  /// does not hear of a stream that begins anew there for heard.
  ///
  /// A fade's first frame is silence; one of a ramp's third may be another of the item 1. What came too late leaves a
  /// hole in front of what is heard until the stream goes back.
  private static func joined(_ heard: [Heard], over underruns: Int, on place: Place) -> [Heard] {
    var (joined, holes) = ([Heard](), 0)
    for next in heard {
      joined.append(next)
      guard holes < 2 * underruns, case .frames(let item, let after) = next,
        let begin = joined.dropLast().lastIndex(where: {
          if case .frames(item, let before) = $0 {
            (1...max(240, place.unheard)).contains(after.lowerBound - before.upperBound)
          } else {
            false
          }
        }), case .frames(_, let before) = joined[begin]
      else { continue }
      let others = joined[begin + 1..<joined.count - 1].reduce(0) {
        if case .other(let count) = $1 { $0 + count } else { $0 }
      }
      let isFade = after.lowerBound - before.upperBound == 240 && (239...240).contains(others)
      guard isFade || place.rewinds && others <= 240 else { continue }
      joined[begin...] = [.frames(item: item, before.lowerBound..<after.upperBound)]
      holes += 1
    }
    return joined
  }

  /// Takes what the monitor does not hear of a resume for heard, where it is as much as a sink went back by.
  ///
  /// A sink that rewinds had taken silence while the stream was corked, and its monitor has that. Of 18 resumes at
  /// 2,000/950 ms 8 were not recorded from their first frame on: 1,795, 1,941, 972, 851, 1,376, 1,032, 1,659 and 2,143
  /// frames were missing, and each time the server said that it had rewound just so many.
  private static func joined(_ heard: [Heard], atResume rewoundBytes: Set<Int>) -> [Heard] {
    guard heard.count > 1, case .frames(item: 1, let before) = heard[0],
      case .frames(item: 1, let after) = heard[1],
      rewoundBytes.contains((after.lowerBound - before.upperBound) * TestSound.format.bytesPerFrame)
    else { return heard }
    return [.frames(item: 1, before.lowerBound..<after.upperBound)] + heard.dropFirst(2)
  }

  private static func expect(_ heard: [Heard], on place: Place, _ account: String) throws {
    let items = heard.compactMap { run -> (item: Int, frames: Range<Int>)? in
      guard case .frames(let item, let frames) = run else { return nil }
      return (item, frames)
    }
    #expect(items.count == heard.count, "all is bit by bit what was written: \(account)")
    #expect(items.map(\.item) == [1, 1, 2, 3], "\(account)")
    guard items.map(\.item) == [1, 1, 2, 3] else { return }
    #expect(items[0].frames.lowerBound <= place.unheard, "\(heard)")
    #expect(items[1].frames == 200_003..<length, "\(heard)")
    #expect(items[2].frames.lowerBound == 0, "\(heard)")
    #expect(items[3].frames == 0..<length, "\(heard)")
  }

  /// The server had asked for four seconds, and asked for nothing more: it ran dry after 2.3 s.
  ///
  /// 60 ms are too little for a debug build beside five others.
  @Test(arguments: places.filter { !$0.isBeside && $0.latency != .low })
  func `what nobody touches plays on without an underrun`(place: Place) async throws {
    try await onOwnThread {
      let sound = try TestSound()
      let length = 8 * 48_000
      let path = try sound.numbered(1, frames: length)
      let (playback, recording) = try inTime {
        let playback = try ServerPlayback(
          TestedServer.shared, [path], latency: place.latency, rewinds: place.rewinds,
          fragment: Self.fragment)
        playback.player.play()
        return (playback, try playback.finish())
      }
      let heard = Heard.sound(recording)
      #expect(playback.renderer.underrunCount == 0)
      guard case .frames(1, let frames)? = heard.last, heard.count == 1 else {
        Issue.record("one run of frames: \(heard)")
        return
      }
      #expect(frames.lowerBound <= place.unheard, "\(heard)")
      #expect(frames.upperBound == length, "\(heard)")
    }
  }

  @Test(arguments: places.filter { !$0.isBeside })
  func `a sink that has taken two seconds of silence plays a start at once`(
    place: Place
  ) async throws {
    try await onOwnThread {
      let sound = try TestSound()
      let path = try sound.numbered(1, frames: Self.length)
      _ = try inTime {
        let playback = try ServerPlayback(
          TestedServer.shared, [path], latency: place.latency, rewinds: place.rewinds,
          fragment: Self.fragment)
        playback.player.play()
        try playback.waitUntilHeard(frame: 4_800)
        // From when the server was told to play, as decoding takes its time on a busy machine, to the first frame,
        // by the clock, which `ClockTests` hold against the monitor.
        let output = try #require(playback.renderer.output as? PulseAudioOutput)
        let (told, heard) = output.withLock {
          let first = playback.renderer.line.map.last.stream
          return (output.state.uncorked, output.clock.hostTime(ofFrame: first))
        }
        let wait = try Double(#require(heard)) - Double(#require(told))
        #expect(wait * 1e-6 < 200 + TestedServer.cycle * 2, "milliseconds to the first frame")
        // One that was taken for dry begins anew behind a hole.
        #expect(place.latency == .low || playback.renderer.underrunCount == 0)
        return (playback, [])
      }
    }
  }
}
