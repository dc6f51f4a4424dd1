// SPDX-License-Identifier: Apache-2.0

@testable import PulseDevice
import Testing

import Attacca

@Suite struct DeviceLookTests {
  /// Whether to look, and the state, after devices have changed, the stream has moved, and a look has ended.
  private static let table: [DeviceLook: [(Bool, DeviceLook)]] = [
    .none: [(true, .underWay), (true, .underWay), (false, .none)],
    .underWay: [(false, .outdated), (true, .underWay), (false, .none)],
    .outdated: [(false, .outdated), (true, .underWay), (true, .owed)],
    .owed: [(true, .underWay), (true, .underWay), (true, .owed)],
  ]

  @Test(arguments: DeviceLook.allCases)
  func `each event has one answer in each state`(look: DeviceLook) throws {
    let row = try #require(Self.table[look])
    var (changed, moved, ended) = (look, look, look)
    #expect(changed.wanted(afterMove: false) == row[0].0)
    #expect(changed == row[0].1)
    #expect(moved.wanted(afterMove: true) == row[1].0)
    #expect(moved == row[1].1)
    #expect(ended.ended() == row[2].0)
    #expect(ended == row[2].1)
  }

  @Test
  func `a change that the failed one of two looks has missed is looked at when the other one ends`()
  {
    var look = DeviceLook.none
    _ = look.wanted(afterMove: false)
    _ = look.wanted(afterMove: true)
    _ = look.wanted(afterMove: false)
    let looksAgain = (0..<2).map { _ in look.ended() }
    #expect(looksAgain == [true, true])
  }
}
