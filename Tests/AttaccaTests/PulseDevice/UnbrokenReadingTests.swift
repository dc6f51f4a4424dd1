// SPDX-License-Identifier: Apache-2.0

import MediaTime
@testable import PulseDevice
import TestSeeds
import Testing

import Attacca

/// What counts as read of a server that may have gone past the end of what it had.
@Suite struct UnbrokenReadingTests {
  private func reading(given: StreamFrame) -> UnbrokenReading {
    var reading = UnbrokenReading()
    reading.begin(with: 0..<given, underWay: 0)
    #expect(reading.answered(read: 480, written: given, sent: 0, arrived: 0) == nil)
    return reading
  }

  @Test func `what was there at the answer before is read in order`() {
    var reading = reading(given: 96_000)
    #expect(reading.answered(read: 48_000, written: 96_000, sent: 0, arrived: 0) == nil)
    #expect(reading.end == 48_000)
    reading.wrote(96_000..<144_000, next: 96_000, underWay: 0)
    #expect(reading.answered(read: 95_000, written: 144_000, sent: 0, arrived: 0) == nil)
    #expect(reading.end == 95_000)
    #expect(!reading.isInDoubt)
  }

  /// The server has gone past 96,000 before more came, and answers before it says so.
  @Test func `an answer from beyond what was there is not believed before a notice would be here`()
  {
    var reading = reading(given: 96_000)
    func answered(_ read: StreamFrame, sent: UInt64, _ arrived: UInt64) -> StreamFrame? {
      reading.answered(read: read, written: 192_000, sent: sent, arrived: arrived)
    }
    reading.wrote(96_000..<192_000, next: 96_000, underWay: 0)
    #expect(answered(103_680, sent: 0, 1_000_000) == nil)
    #expect(reading.end <= 96_000)
    // Asked right behind that answer.
    #expect(answered(104_160, sent: 1_100_000, 1_200_000) == nil)
    #expect(answered(104_640, sent: 2_000_000, 2_100_000) == nil)
    #expect(answered(104_640, sent: 2_100_000, 2_300_000) == nil)
    #expect(reading.isInDoubt)
    #expect(reading.isMissing(from: 96_000))
    #expect(answered(105_120, sent: 3_300_000, 3_400_000) == nil)
    #expect(!reading.isInDoubt)
    #expect(reading.end == 105_120)
    #expect(!reading.isMissing(from: 96_000))
  }

  @Test func `an answer from beyond what was written when it was asked for tells of a gap`() {
    var reading = reading(given: 96_000)
    reading.wrote(96_000..<192_000, next: 96_000, underWay: 1)
    #expect(reading.answered(read: 103_680, written: 96_000, sent: 0, arrived: 0) == 96_000)
    #expect(reading.end <= 96_000)
  }

  /// The sink had taken 48,000 frames, told that there were no more, and has given back all but the first.
  @Test func `what is still to be read is not missing by a notice from before it was given back`() {
    var reading = reading(given: 48_000)
    #expect(!reading.holds(48_000))
    reading.wrote(48_000..<96_000, next: 48_000, underWay: 0)
    #expect(reading.answered(read: 8_424, written: 96_000, sent: 0, arrived: 0) == nil)
    #expect(reading.holds(8_424) && reading.holds(48_000))
    #expect(!reading.holds(8_423) && !reading.holds(96_000))
    // What is replaced from there on may run dry again.
    reading.wrote(20_000..<30_000, next: 96_000, underWay: 0)
    #expect(reading.holds(29_999) && !reading.holds(30_000))
    #expect(reading.answered(read: 31_000, written: 30_000, sent: 0, arrived: 0) == 30_000)
    #expect(!reading.holds(30_000))
  }

  @Test func `what was taken back is not there, though a question was asked before`() {
    var reading = reading(given: 96_000)
    reading.wrote(1_000..<12_000, next: 96_000, underWay: 2)
    #expect(reading.answered(read: 960, written: 96_000, sent: 0, arrived: 0) == nil)
    reading.wrote(12_000..<24_000, next: 12_000, underWay: 1)
    #expect(reading.answered(read: 1_440, written: 96_000, sent: 0, arrived: 0) == nil)
    #expect(reading.end == 1_440)
    // It may have run dry at 12,000.
    #expect(reading.answered(read: 12_480, written: 24_000, sent: 0, arrived: 0) == nil)
    #expect(reading.end < 12_000)
  }

  @Test func `silence between what was written is missed by nobody`() {
    var reading = reading(given: 9_600)
    reading.wrote(48_000..<96_000, next: 9_600, underWay: 1)
    #expect(reading.answered(read: 30_000, written: 9_600, sent: 0, arrived: 0) == nil)
    #expect(!reading.isMissing(from: 9_600))
  }

  /// It has told already that it has run dry, and does not tell it again.
  @Test(arguments: [(48_000, nil), (48_480, 48_000)] as [(StreamFrame, StreamFrame?)])
  func `what was placed behind where a server had come to is missing`(
    read: StreamFrame, missing: StreamFrame?
  ) {
    var reading = reading(given: 9_600)
    reading.begin(at: 20_000, underWay: 0)
    reading.wrote(48_000..<96_000, next: 9_600, underWay: 1)
    #expect(reading.answered(read: 30_000, written: 9_600, sent: 0, arrived: 0) == nil)
    #expect(reading.answered(read: read, written: 56_184, sent: 0, arrived: 0) == missing)
    #expect(reading.isMissing(from: 48_000))
  }

  /// A server as PulseAudio is one: its sink's thread takes blocks and what is sent, in turn; its main thread
  /// sends the answers of one turn in the next, before it waits, and notices behind the answers of that.
  private struct Server {
    enum Sent { case frames(StreamFrame), question(written: StreamFrame, time: UInt64) }
    enum Told {
      case answer(read: StreamFrame, written: StreamFrame, sent: UInt64), notice(StreamFrame)
    }
    static let block: Int64 = 480

    var read: StreamFrame = 0
    var written: StreamFrame = 0
    var isDry = false
    var socket: [Sent] = []
    /// Notices of the sink's thread, and what goes out in the next turn.
    var notices: [Told] = []
    var outgoing: [Told] = []
    /// The first frame that nobody heard.
    var gap: StreamFrame?

    mutating func takeBlock() {
      if read >= written {
        if !isDry { notices.append(.notice(read)) }
        isDry = true
        gap = gap ?? read
      } else {
        isDry = false
      }
      read += Self.block
    }

    mutating func take(_ sent: Sent) {
      switch sent {
      case .frames(let end): written = end
      case .question(let written, let time):
        outgoing.append(.answer(read: read, written: written, sent: time))
      }
    }
  }

  @Test func `no frame behind a gap counts as read before the gap is told, whatever comes when`() {
    var random = SplitMix64()
    print("servers that run dry, seed \(random.seed)")
    var gaps = 0
    for run in 0..<20_000 {
      var (server, reading) = (Server(), UnbrokenReading())
      var (next, underWay, isTold, time) = (StreamFrame(0), 0, false, UInt64(0))
      reading.begin(at: 0, underWay: 0)
      func write(_ random: inout SplitMix64) {
        let end = next + Int64.random(in: 1...8, using: &random) * Server.block
        reading.wrote(next..<end, next: next, underWay: underWay)
        server.socket.append(.frames(end))
        next = end
      }
      func ask() {
        guard underWay < 16 else { return }
        server.socket.append(.question(written: next, time: time))
        underWay += 1
      }
      func receive(_ told: [Server.Told], _ random: inout SplitMix64) {
        for one in told where !isTold {
          switch one {
          case .notice(let frame):
            isTold = true
            #expect(reading.isMissing(from: frame), "seed \(random.seed), run \(run)")
          case .answer(let read, let written, let sent):
            underWay -= 1
            isTold =
              reading.answered(read: read, written: written, sent: sent, arrived: time) != nil
            if let gap = server.gap {
              #expect(reading.end <= gap, "seed \(random.seed), run \(run)")
            }
            if Bool.random(using: &random) { ask() }
            if Int.random(in: 0..<3, using: &random) == 0 { write(&random) }
          }
        }
      }
      write(&random)
      ask()
      for _ in 0..<60 where !isTold {
        let told = server.outgoing
        server.outgoing = []
        receive(told, &random)
        let due = server.notices
        server.notices = []
        // It may be held up before it looks for what has come meanwhile.
        time += UInt64.random(in: 0...2, using: &random) * UnbrokenReading.pause / 2
        if reading.isInDoubt, Bool.random(using: &random) { ask() }
        // One message after the other, and a block at most between two where time is to be made up for.
        let count = Int.random(in: 0...server.socket.count, using: &random)
        for sent in server.socket.prefix(count) {
          if Bool.random(using: &random) { server.takeBlock() }
          server.take(sent)
        }
        server.socket.removeFirst(count)
        for _ in 0..<Int.random(in: 0...2, using: &random) { server.takeBlock() }
        server.outgoing += due
        if Int.random(in: 0..<8, using: &random) == 0 { write(&random) }
        time += UInt64.random(in: 0...2, using: &random) * UnbrokenReading.pause / 2
        if reading.isInDoubt || Int.random(in: 0..<8, using: &random) == 0 { ask() }
      }
      if server.gap != nil { gaps += 1 }
    }
    #expect(gaps > 1_000)
  }
}
