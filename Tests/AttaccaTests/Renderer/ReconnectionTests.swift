// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Attacca

@Suite struct ReconnectionTests {
  @Test func `waits double from 50 ms to 2 s`() {
    let waits = (0..<9).map { Reconnection.wait(before: $0) / 1_000_000 }
    #expect(waits == [50, 100, 200, 400, 800, 1_600, 2_000, 2_000, 2_000])
    #expect(Reconnection.wait(before: .max) == 2_000_000_000)
  }

  @Test func `a lost stream is opened anew after a wait, and refusals make it longer`() throws {
    var link = Reconnection(isConnected: true)
    let first = try #require(link.lost().wait(50_000_000))
    #expect(link.isDown)
    let attempt = try #require(link.elapsed(first).attempt)
    #expect(link.state == .connecting(attempt: 0))
    let second = try #require(link.refused(attempt).wait(100_000_000))
    let last = try #require(link.elapsed(second).attempt)
    #expect(link.opened(last) == .use)
    #expect(link.state == .connected)
    // The next loss begins with the shortest wait again.
    _ = try #require(link.lost().wait(50_000_000))
  }

  @Test func `a second loss, an old wait and an old stream change nothing`() throws {
    var link = Reconnection(isConnected: true)
    let wait = try #require(link.lost().wait(50_000_000))
    #expect(link.lost() == .none)
    #expect(link.elapsed(wait - 1) == .none)
    let old = try #require(link.elapsed(wait).attempt)
    #expect(link.elapsed(wait) == .none)
    let new = try #require(link.wanted().attempt)
    #expect(link.opened(old) == .discard)
    #expect(link.refused(old) == .none)
    #expect(link.state == .connecting(attempt: 0))
    #expect(link.opened(new) == .use)
    #expect(link.opened(new) == .discard)
  }

  @Test func `another device that cannot be had leaves the present one`() throws {
    var link = Reconnection(isConnected: true)
    let attempt = try #require(link.wanted().attempt)
    #expect(link.state == .switching)
    #expect(!link.isDown)
    #expect(link.refused(attempt) == .stay)
    #expect(link.state == .connected)
  }

  @Test func `a loss while another device is being opened waits for that one`() throws {
    var link = Reconnection(isConnected: true)
    let attempt = try #require(link.wanted().attempt)
    #expect(link.lost() == .none)
    #expect(link.isDown)
    _ = try #require(link.refused(attempt).wait(100_000_000))
  }

  @Test func `a device that appears is tried without waiting`() throws {
    var link = Reconnection(isConnected: true)
    let wait = try #require(link.lost().wait(50_000_000))
    let attempt = try #require(link.wanted().attempt)
    #expect(link.elapsed(wait) == .none)
    #expect(link.opened(attempt) == .use)
  }

  @Test func `after the close nothing is opened or used`() throws {
    var link = Reconnection(isConnected: true)
    let attempt = try #require(link.wanted().attempt)
    link.close()
    #expect(link.opened(attempt) == .discard)
    #expect(link.refused(attempt) == .none)
    #expect(link.lost() == .none)
    #expect(link.wanted() == .none)
    #expect(link.state == .closed)
  }
}

extension Reconnection.Action {
  /// The generation of a wait of so many nanoseconds; nil for anything else.
  fileprivate func wait(_ nanoseconds: UInt64) -> Int? {
    if case .wait(nanoseconds, let generation) = self { generation } else { nil }
  }

  /// The generation of an attempt to open; nil for anything else.
  fileprivate var attempt: Int? {
    if case .open(let generation) = self { generation } else { nil }
  }
}
