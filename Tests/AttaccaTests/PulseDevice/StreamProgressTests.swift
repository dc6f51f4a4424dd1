// SPDX-License-Identifier: Apache-2.0

import MediaTime
import PulseAudio
@testable import PulseDevice
import Testing

import Attacca

@Suite struct StreamProgressTests {
  private func report(read: Int64, milliseconds: Int64, at hostTime: UInt64 = 1) -> TimingReport {
    TimingReport(
      readFrame: read, writeFrame: read, sinkLatency: milliseconds * 1_000_000, hostTime: hostTime)
  }

  @Test func `what is heard is what was read, less what is rendered ahead and what is in doubt`() {
    var progress = StreamProgress()
    let isHeldBack = progress.note(
      report(read: 9_600, milliseconds: 20, at: 7), sampleRate: 48_000, doubtfulFrames: 960,
      most: .max, isUnbroken: false)
    #expect(!isHeldBack && progress.read == 9_600 && progress.ahead == 960)
    #expect(progress.heard == 7_680 && progress.lastReport == 7)
  }

  @Test func `an earlier place takes nothing back`() {
    var progress = StreamProgress()
    for read in [9_600, 4_800] as [Int64] {
      _ = progress.note(
        report(read: read, milliseconds: 0), sampleRate: 48_000, doubtfulFrames: 0, most: .max,
        isUnbroken: false)
    }
    #expect(progress.read == 9_600 && progress.heard == 9_600)
  }

  @Test func `only what was read without a gap is heard for certain, where gaps are told`() {
    var progress = StreamProgress()
    progress.reading.begin(at: 480, underWay: 0)
    _ = progress.note(
      report(read: 9_600, milliseconds: 0), sampleRate: 48_000, doubtfulFrames: 0, most: .max,
      isUnbroken: true)
    #expect(progress.heard == 480)
  }

  @Test func `a server holds back what it says to have played by a third of a second too early`() {
    var progress = StreamProgress()
    func isHeldBack(read: Int64) -> Bool {
      progress.note(
        report(read: read, milliseconds: 0), sampleRate: 48_000, doubtfulFrames: 0, most: 1_000,
        isUnbroken: false)
    }
    #expect([17_000, 17_001].map(isHeldBack) == [false, true])
    #expect(progress.heard == 1_000)
  }

  @Test func `a gap in one place is tried to be filled eight times`() {
    var progress = StreamProgress()
    func tries(_ frames: Range<Int64>) -> [Bool] {
      frames.map { progress.missed(StreamFrame($0), sampleRate: 48_000) }
    }
    #expect(
      tries(48_000..<48_012) == [Bool](repeating: true, count: 8) + [false, false, false, false])
    #expect(tries(52_800..<52_801) == [true])
    progress.forget(at: 9)
    #expect(tries(48_000..<48_001) == [true])
    #expect(progress.lastReport == 9)
  }

  @Test func `for 3 s after a move no more is heard than time has passed`() {
    let move = ServerMove(heard: 90, shown: 100, hostTime: 1_000)
    #expect(move.mostHeard(atHostTime: 1_000, sampleRate: 48_000) == 100)
    #expect(move.mostHeard(atHostTime: 1_000_001_000, sampleRate: 48_000) == 48_100)
    #expect(move.mostHeard(atHostTime: 3_000_001_000, sampleRate: 48_000) == .max)
  }
}
