// SPDX-License-Identifier: Apache-2.0

import SampleBuffers
import Testing

@testable import PulseAudio

@Suite struct SinkBlocksTests {
  enum Event: CaseIterable { case settles, answered, settled, deepens }

  private static func blocks(_ depth: SinkBlocks.Depth, sinkRewinds: Bool = true) -> SinkBlocks {
    var blocks = SinkBlocks(latency: .powerSaving, sinkRewinds: sinkRewinds, startsDeep: false)
    switch depth {
    case .settled: break
    case .deep: _ = blocks.deepens()
    case .settling(let answers):
      blocks.settles(startedUpTo: 12_000)
      for _ in answers..<3 { _ = blocks.answered() }
    }
    return blocks
  }

  /// What each event leads to, in the order of `Event`, and whether something is asked of the server for it.
  private static let table: [SinkBlocks.Depth: [(SinkBlocks.Depth, asks: Bool)]] = [
    .settled: [
      (.settling(answers: 3), false), (.settled, false), (.settled, false), (.deep, true),
    ],
    .deep: [(.settling(answers: 3), false), (.deep, false), (.settled, false), (.deep, false)],
    .settling(answers: 3): [
      (.settling(answers: 3), false), (.settling(answers: 2), true), (.settled, false),
      (.settling(answers: 3), false),
    ],
    .settling(answers: 2): [
      (.settling(answers: 3), false), (.settling(answers: 1), true), (.settled, false),
      (.settling(answers: 2), false),
    ],
    .settling(answers: 1): [
      (.settling(answers: 3), false), (.settled, false), (.settled, false),
      (.settling(answers: 1), false),
    ],
  ]

  @Test func `each event leads to one depth`() {
    for (depth, expected) in Self.table {
      for (event, (next, asks)) in zip(Event.allCases, expected) {
        var blocks = Self.blocks(depth)
        #expect(blocks.depth == depth)
        let isAsked =
          switch event {
          case .settles:
            {
              blocks.settles(startedUpTo: 12_000); return false
            }()
          case .answered: blocks.answered()
          case .settled:
            {
              blocks.settled(); return false
            }()
          case .deepens: blocks.deepens()
          }
        #expect(blocks.depth == next && isAsked == asks, "\(depth), \(event)")
        #expect(blocks.isSettling == (next != .settled && next != .deep))
      }
    }
  }

  @Test func `only a null sink that rewinds takes blocks as long as it can`() {
    for (rewinds, startsDeep, depth) in [
      (true, true, .deep), (true, false, .settled), (false, true, .settled),
    ] as [(Bool, Bool, SinkBlocks.Depth)] {
      let blocks = SinkBlocks(
        latency: .powerSaving, sinkRewinds: rewinds, startsDeep: startsDeep)
      #expect(blocks.depth == depth)
    }
    var other = Self.blocks(.settled, sinkRewinds: false)
    var deepens = other.deepens()
    #expect(!deepens && other.depth == .settled)
    other.sinkRewinds = true
    deepens = other.deepens()
    #expect(deepens)
  }

  @Test func `what a start has given back ends where its frames did, however they are counted`() {
    var blocks = Self.blocks(.deep)
    #expect(blocks.givenBackEnd == nil)
    blocks.count(back: 480)
    blocks.settles(startedUpTo: 12_000)
    #expect(blocks.givenBackEnd == 12_000)
    blocks.count(back: 480)
    #expect(blocks.givenBackEnd == 11_520)
    blocks.settled()
    #expect(blocks.givenBackEnd == 11_520)
    _ = blocks.deepens()
    blocks.settles(startedUpTo: 60_000)
    #expect(blocks.givenBackEnd == 60_000)
  }
}
