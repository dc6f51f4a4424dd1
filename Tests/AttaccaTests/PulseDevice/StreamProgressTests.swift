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
    progress.note(
      report(read: 9_600, milliseconds: 20, at: 7), sampleRate: 48_000, doubtfulFrames: 960,
      isUnbroken: false)
    #expect(progress.read == 9_600 && progress.ahead == 960)
    #expect(progress.heard == 7_680 && progress.lastReport == 7)
  }

  @Test func `an earlier place takes nothing back`() {
    var progress = StreamProgress()
    for read in [9_600, 4_800] as [Int64] {
      progress.note(
        report(read: read, milliseconds: 0), sampleRate: 48_000, doubtfulFrames: 0,
        isUnbroken: false)
    }
    #expect(progress.read == 9_600 && progress.heard == 9_600)
  }

  @Test func `only what was read without a gap is heard for certain, where gaps are told`() {
    var progress = StreamProgress()
    progress.reading.begin(at: 480, underWay: 0)
    progress.note(
      report(read: 9_600, milliseconds: 0), sampleRate: 48_000, doubtfulFrames: 0,
      isUnbroken: true)
    #expect(progress.heard == 480)
  }

  /// What is heard a line lets go of.
  @Test func `nothing of what is to be heard again is heard yet`() {
    var progress = StreamProgress()
    progress.note(
      report(read: 9_600, milliseconds: 0), sampleRate: 48_000, doubtfulFrames: 0,
      isUnbroken: false, again: 4_800)
    #expect(progress.heard == 4_800)
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
}
