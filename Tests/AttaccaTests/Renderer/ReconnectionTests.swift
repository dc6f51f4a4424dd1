// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Attacca

@Suite struct ReconnectionTests {
  @Test func `waits double from 50 ms to 2 s`() {
    let waits = (0..<9).map { Reconnection.wait(before: $0) / 1_000_000 }
    #expect(waits == [50, 100, 200, 400, 800, 1_600, 2_000, 2_000, 2_000])
    #expect(Reconnection.wait(before: .max) == 2_000_000_000)
  }

  @Test func `a lost stream is opened anew after a wait, and refusals make it longer`() {
    var link = Reconnection(isConnected: true)
    guard case .wait(50_000_000, let first) = link.lost() else {
      Issue.record("\(link.state)")
      return
    }
    #expect(link.isDown)
    guard case .open(let attempt) = link.elapsed(first) else {
      Issue.record("\(link.state)")
      return
    }
    #expect(link.state == .connecting(attempt: 0))
    guard case .wait(100_000_000, let second) = link.refused(attempt) else {
      Issue.record("\(link.state)")
      return
    }
    guard case .open(let last) = link.elapsed(second) else {
      Issue.record("\(link.state)")
      return
    }
    #expect(link.opened(last) == .use)
    #expect(link.state == .connected)
    // The next loss begins with the shortest wait again.
    guard case .wait(50_000_000, _) = link.lost() else {
      Issue.record("\(link.state)")
      return
    }
  }

  @Test func `a second loss, an old wait and an old stream change nothing`() {
    var link = Reconnection(isConnected: true)
    guard case .wait(_, let wait) = link.lost() else { return }
    #expect(link.lost() == .none)
    #expect(link.elapsed(wait - 1) == .none)
    guard case .open(let old) = link.elapsed(wait) else { return }
    #expect(link.elapsed(wait) == .none)
    guard case .open(let new) = link.wanted() else { return }
    #expect(link.opened(old) == .discard)
    #expect(link.refused(old) == .none)
    #expect(link.state == .connecting(attempt: 0))
    #expect(link.opened(new) == .use)
    #expect(link.opened(new) == .discard)
  }

  @Test func `another device that cannot be had leaves the present one`() {
    var link = Reconnection(isConnected: true)
    guard case .open(let attempt) = link.wanted() else { return }
    #expect(link.state == .switching)
    #expect(!link.isDown)
    #expect(link.refused(attempt) == .stay)
    #expect(link.state == .connected)
  }

  @Test func `a loss while another device is being opened waits for that one`() {
    var link = Reconnection(isConnected: true)
    guard case .open(let attempt) = link.wanted() else { return }
    #expect(link.lost() == .none)
    #expect(link.isDown)
    guard case .wait(100_000_000, _) = link.refused(attempt) else {
      Issue.record("\(link.state)")
      return
    }
  }

  @Test func `a device that appears is tried without waiting`() {
    var link = Reconnection(isConnected: true)
    guard case .wait(_, let wait) = link.lost(), case .open(let attempt) = link.wanted() else {
      Issue.record("\(link.state)")
      return
    }
    #expect(link.elapsed(wait) == .none)
    #expect(link.opened(attempt) == .use)
  }

  @Test func `after the close nothing is opened or used`() {
    var link = Reconnection(isConnected: true)
    guard case .open(let attempt) = link.wanted() else { return }
    link.close()
    #expect(link.opened(attempt) == .discard)
    #expect(link.refused(attempt) == .none)
    #expect(link.lost() == .none)
    #expect(link.wanted() == .none)
    #expect(link.state == .closed)
  }
}
