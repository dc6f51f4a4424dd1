// SPDX-License-Identifier: Apache-2.0

import Testing

/// Verdicts on one frame of an item that is heard behind silence; frame 200,000 was the next one a second before.
@Suite struct ChaosJudgeTests {
  /// The host time of all that is noted.
  private static let now: UInt64 = 10_000_000_000
  private let log = ChaosLog { Self.now }

  /// Whether `frame` is legal now, by what has been noted, behind a fade to silence, and where frame `again` is heard
  /// next.
  private func isLegal(
    _ frame: Int, on sink: String = "a", behind faded: Int = 0, then again: Int? = nil
  ) -> Bool {
    var judge = ChaosJudge(log, NamedItems(lengths: [3: 400_000]))
    let (second, end) = (UInt64(1_000_000_000), Self.now)
    judge.take(
      turn(.frame(NamedFrame(item: 3, frame: 200_000)), .silence, faded), on: "a",
      from: end - second, to: end - second)
    let heard = Turn.Sound.frame(NamedFrame(item: 3, frame: frame))
    judge.take(turn(.silence, heard), on: sink, from: end, to: end)
    if let again {
      judge.take(turn(heard, .silence), on: sink, from: end, to: end)
      judge.take(
        turn(.silence, .frame(NamedFrame(item: 3, frame: again))), on: sink, from: end, to: end)
    }
    // The silence itself has no cause here.
    return !judge.complaints(at: end + 4 * second).contains {
      $0.split(separator: ";")[0].contains("\(heard)")
    }
  }

  private func turn(_ expected: Turn.Sound, _ heard: Turn.Sound, _ faded: Int = 0) -> Turn {
    Turn(expected: expected, heard: heard, faded: faded, isFade: true, end: 0)
  }

  // What was asked for while a sink had no recorder was "asked for by nobody" on the next one.
  @Test func `a seek that nobody heard has gone on since`() {
    log.note("seek", .seek(300_000...300_000))
    let found = [isLegal(300_000), isLegal(340_000)]
    _ = log.begin("nobody hears a", .deafness)
    #expect(found + [isLegal(340_000), isLegal(380_000)] == [true, false, true, false])
  }

  // A sink made up for a stop of 1.21 s in the moment in which its recorder left it, before it went: 56,048 frames
  // were "asked for by nobody".
  @Test func `what is made up for a stop while nobody listens is passed over`() {
    _ = log.begin("nobody hears a", .deafness)
    let found = isLegal(304_048)
    log.note("stop", .stop(58_176))
    #expect([found, isLegal(304_048), isLegal(340_000)] == [false, true, false])
  }

  // On a machine with 15 runs at once 301 frames came behind an underrun, and before those that had been missing.
  @Test func `frames that were given too late are heard again`() {
    let found = isLegal(190_000)
    log.note("underrun", .underrun)
    #expect([found, isLegal(190_000), isLegal(170_000)] == [false, true, false])
    let passed = [220_000, 230_000].map { [isLegal($0), isLegal($0, then: 200_000)] }
    #expect(passed == [[false, true], [false, false]])
  }

  // 39,360 frames were passed over behind a stop, and all was cleared before those could be heard.
  @Test func `what was passed over is not heard again where something else is asked for`() {
    log.note("stop", .stop(48_000))
    let found = isLegal(239_360)
    log.note("clear", .item)
    #expect([found, isLegal(239_360), isLegal(260_000)] == [false, true, false])
  }

  // 1.95 s were heard again where the connection was cut right behind a stop of 1.88 s.
  @Test func `a stream that is lost behind a stop may be heard again from before it`() {
    log.note("cut", .loss)
    let found = [isLegal(140_000), isLegal(110_000)]
    log.note("stop", .stop(90_000))
    #expect(found + [isLegal(110_000), isLegal(30_000)] == [true, false, true, false])
  }

  // 24,104 frames were passed over where a stream was lost right behind an interruption, 0.25 s away.
  @Test func `what only a lost stream had before a pause is passed over where its server is far`() {
    log.note("cut", .loss)
    log.note("told that it is lost", .transport)
    _ = log.begin("far", .distance)
    let found = isLegal(224_104)
    log.note("interruption", .interruption)
    #expect([found, isLegal(224_104), isLegal(262_000)] == [false, true, false])
  }

  // 3,950 frames were heard again where a player let go of its device on PipeWire; two items had begun in them.
  @Test func `where another stream goes on, the end of the item before may be heard again`() {
    func isLegal(_ frame: Int) -> Bool {
      var judge = ChaosJudge(log, NamedItems(lengths: [17: 5_000, 31: 10_000]))
      let next = Turn.Sound.frame(NamedFrame(item: 31, frame: 2_712))
      let heard = Turn.Sound.frame(NamedFrame(item: 17, frame: frame))
      judge.take(turn(next, heard, 240), on: "a", from: Self.now, to: Self.now)
      return judge.complaints(at: Self.now + 1_000_000_000).isEmpty
    }
    log.note("pause", .transport)
    let found = isLegal(4_482)
    log.note("device", .route)
    #expect([found, isLegal(4_482), isLegal(2_900)] == [false, true, false])
  }

  // Frame 4,336 was "asked for by nobody": the item had begun in a crossfade of 300 ms, and was paused in it.
  @Test func `what began in a fade to silence goes on behind it`() {
    log.note("next", .item)
    #expect([isLegal(4_336), isLegal(4_336, behind: 4_100)] == [false, true])
    #expect(!isLegal(8_000, behind: 4_100))
  }

  // 7,438 frames were "asked for by nobody": they had faded in on the sink before.
  @Test func `what fades in on one sink goes on on another`() {
    log.note("route", .route)
    let found = isLegal(207_438, on: "b")
    log.note("play", .transport)
    #expect([found, isLegal(207_438, on: "b"), isLegal(225_000, on: "b")] == [false, true, false])
  }

  @Test func `a stop alone loses no stream`() {
    log.note("stop", .stop(90_000))
    let found = [isLegal(140_000), isLegal(110_000)]
    #expect(found == [true, false])
  }

  // 6,959 frames of a seek were "asked for by nobody": they had faded in, for 300 ms, on the sink before.
  @Test func `what a seek led to goes on on another sink while it fades in`() {
    log.note("seek", .seek(300_000...300_000))
    let found = isLegal(306_959, on: "b")
    log.note("route", .route)
    #expect([found, isLegal(306_959, on: "b"), isLegal(317_000, on: "b")] == [false, true, false])
  }

  // Frame 2,975 of a start that came too late was "asked for by nobody": its recorder on PipeWire was late as well.
  @Test func `a start that came too late is heard where time is by then`() {
    log.note("start", .start(frame: 300_000, due: Self.now - 125_000_000))
    let found = [302_975, 306_000, 308_300, 308_500, 299_000].map { isLegal($0) }
    #expect(found == [true, true, true, false, false])
  }

  // 4,096 frames were "asked for by nobody" behind a freeze and a stop: the recorder had missed two cycles.
  @Test func `what a recorder missed is passed over`() {
    log.note("stop", .stop(23_760))
    let found = isLegal(204_096)
    for _ in 1...2 { log.note("recorders miss a cycle", .missed(2_048)) }
    #expect([found, isLegal(204_096), isLegal(207_938)] == [false, true, false])
  }

  // 9,731 frames were "asked for by nobody" behind a freeze, before a server that was 0.25 s away could be stopped.
  @Test func `what is passed over behind a stop has three seconds to be heard`() {
    log.note("stop", .stop(90_000))
    var judge = ChaosJudge(log, NamedItems(lengths: [3: 400_000]))
    func hear(_ frame: Int, at hostTime: UInt64) {
      judge.take(
        turn(.frame(NamedFrame(item: 3, frame: 200_000)), .silence), on: "a", from: Self.now,
        to: Self.now)
      judge.take(
        turn(.silence, .frame(NamedFrame(item: 3, frame: frame))), on: "a", from: hostTime,
        to: hostTime)
    }
    hear(209_731, at: Self.now)
    let second: UInt64 = 1_000_000_000
    let soon = judge.complaints(at: Self.now + 3 * second)
    hear(200_000, at: Self.now + 2 * second)
    let again = judge.complaints(at: Self.now + 3 * second)
    hear(209_731, at: Self.now + 2 * second)
    let late = judge.complaints(at: Self.now + 6 * second)
    #expect(soon.isEmpty && again.isEmpty && late.count == 1, "\(soon) \(again) \(late)")
  }

  // 40,704 frames were passed over behind a stop of 2.8 s, and heard from there until the stream was stopped.
  @Test func `what is passed over behind a stop is heard behind it`() {
    #expect(!isLegal(240_704, then: 200_000))
    log.note("stop", .stop(90_000))
    #expect(isLegal(240_704, then: 200_000))
    #expect(!isLegal(240_704))
    #expect(!isLegal(240_704, then: 241_000))
    #expect(!isLegal(340_000, then: 200_000))
  }
}
