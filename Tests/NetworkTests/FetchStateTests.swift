// SPDX-License-Identifier: Apache-2.0

import SoundFiles
import Testing

@testable import AttaccaNetwork

/// What is asked for next, and what answers mean.
@Suite("State of a download") struct FetchStateTests {
  private typealias Request = FetchState.Request
  private static let second: UInt64 = 1_000_000_000

  private func head(_ status: Int, _ change: (inout ResponseHead) -> Void = { _ in })
    -> ResponseHead
  {
    var head = ResponseHead()
    head.status = status
    change(&head)
    return head
  }

  /// One that has answered with `size` bytes to come, and a reader who waits for the first.
  private func begun(size: Int64?, ranges: Bool?) -> FetchState {
    var state = FetchState(name: "URL")
    state.read(state.addReader(), at: 0, isBlocked: true)
    _ = state.next(at: 0)
    _ = state.respond(
      head(200) {
        $0.length = size
        $0.acceptsRanges = ranges
      }, at: 0)
    return state
  }

  @Test func `what is far from what comes is asked for in ranges that grow`() {
    var state = begun(size: 100 << 20, ranges: true)
    _ = state.receive(1_000, at: 0)
    let place: Int64 = 50 << 20
    state.read(1, at: place, isBlocked: true)
    var size = FetchState.shortest
    var from = place
    for _ in 0..<3 {
      let action = state.next(at: 0)
      #expect(action == .start(Request(from: from, to: from + size)))
      let range = from..<from + size
      _ = state.respond(
        head(206) {
          ($0.range, $0.rangeTotal) = (range, 100 << 20)
        }, at: 0)
      _ = state.receive(Int(size), at: 0)
      state.endConnection(nil, at: 0)
      (from, size) = (from + size, size * 4)
      state.read(1, at: from, isBlocked: true)
    }
    let last = state.next(at: 0)
    #expect(last == .start(Request(from: from, to: nil)))
  }

  @Test func `what is near is waited for, and all where there are no ranges`() {
    var state = begun(size: 100 << 20, ranges: true)
    state.read(1, at: FetchState.near, isBlocked: true)
    var action = state.next(at: 0)
    #expect(action == .wait(until: 15 * Self.second))
    state = begun(size: 100 << 20, ranges: false)
    state.read(1, at: 99 << 20, isBlocked: true)
    action = state.next(at: 0)
    #expect(action == .wait(until: 15 * Self.second))
  }

  @Test func `a connection that breaks is made again at once, then later and later, and given up`()
  {
    var state = begun(size: 1_000, ranges: true)
    _ = state.receive(100, at: 0)
    state.read(1, at: 100, isBlocked: true)
    let error = SoundFileError(.unreadable, path: "URL", call: "test", cause: "broken")
    var (now, delays) = (UInt64(0), [UInt64]())
    while delays.count < 50 {
      state.endConnection(error, at: now)
      var action = state.next(at: now)
      if case .wait(let until) = action {
        delays.append((until - now) / 1_000_000)
        now = until
        action = state.next(at: now)
      } else {
        delays.append(0)
      }
      guard case .start = action else { break }
    }
    #expect(delays.prefix(9) == [0, 250, 500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000])
    #expect(state.phase == .failed(error))
    #expect(now < 70 * Self.second)
  }

  @Test func `a server without ranges that breaks before what is loaded is asked on`() {
    var state = begun(size: 1_000_000, ranges: false)
    _ = state.receive(500_000, at: 0)
    state.read(1, at: 500_000, isBlocked: true)
    let broken = SoundFileError(.unreadable, path: "URL", call: "HTTP", cause: "reset")
    state.endConnection(broken, at: 0)
    var now: UInt64 = 0
    for _ in 0..<6 {
      now += Self.second
      _ = state.next(at: now)
      _ = state.respond(head(200) { $0.length = 1_000_000 }, at: now)
      _ = state.receive(1_000, at: now)
      state.endConnection(broken, at: now)
    }
    #expect(state.total == 1_000_000 && state.truncation == nil)
    if case .failed(let error) = state.phase { Issue.record("\(error)") }
  }

  @Test(arguments: ["9223372036854775807", "-1", "1e3"])
  func `a size that no file has is none`(size: String) {
    var head = ResponseHead()
    head.add("HTTP/1.1 206 Partial Content")
    head.add("Content-Length: \(size)")
    head.add("Content-Range: bytes 0-99/\(size)")
    #expect(head.length == nil && head.rangeTotal == nil)
    head.add("HTTP/1.1 206 Partial Content")
    head.add("Content-Range: bytes 0-9223372036854775806/*")
    #expect(head.range == nil)
  }

  @Test func `far ahead of all readers nothing is kept that is over the limit`() {
    var state = FetchState(name: "URL", limits: FetchState.Limits(spool: 2 << 20))
    let id = state.addReader()
    _ = state.next(at: 0)
    state.loaded.insert(8 << 20..<12 << 20)
    state.read(id, at: 0, isBlocked: false)
    let given = state.takeExcess()
    #expect(given == [8 << 20..<12 << 20])
    #expect(state.loaded.byteCount == 0)
  }

  @Test func `silence ends a connection`() {
    var state = begun(size: 1_000, ranges: true)
    _ = state.receive(100, at: 0)
    state.read(1, at: 100, isBlocked: true)
    let actions = [14, 15, 15].map { state.next(at: $0 * Self.second) }
    #expect(
      actions == [
        .wait(until: 15 * Self.second), .stop, .start(Request(from: 100, to: 1_000)),
      ])
  }

  @Test func `nobody waits for what is full, and it goes on with room`() {
    var state = FetchState(name: "URL", limits: FetchState.Limits(spool: 1 << 20))
    let id = state.addReader()
    state.read(id, at: 0, isBlocked: true)
    _ = state.next(at: 0)
    _ = state.respond(head(200) { $0.length = 10 << 20 }, at: 0)
    var goesOn = state.receive(1 << 16, at: 0)
    #expect(goesOn)
    state.read(id, at: 0, isBlocked: false)
    goesOn = state.receive(1 << 19, at: 0)
    #expect(!goesOn)
    // Without ranges all of it would have to come again: the connection is kept.
    var action = state.next(at: 1_000 * Self.second)
    #expect(action == .wait(until: 1_010 * Self.second))
    state.read(id, at: 1 << 19, isBlocked: false)
    action = state.next(at: 0)
    #expect(action == .resume)
  }

  @Test func `a connection that nothing is taken from ends where its rest can be asked for`() {
    var state = FetchState(name: "URL", limits: FetchState.Limits(spool: 1 << 20))
    let id = state.addReader()
    state.read(id, at: 0, isBlocked: true)
    _ = state.next(at: 0)
    _ = state.respond(
      head(200) {
        $0.length = 10 << 20
        $0.acceptsRanges = true
      }, at: 0)
    state.read(id, at: 0, isBlocked: false)
    _ = state.receive(1 << 20, at: 0)
    let actions = [0, 9, 10, 11].map { state.next(at: $0 * Self.second) }
    let wait = FetchState.Action.wait(until: 10 * Self.second)
    #expect(actions == [wait, wait, .stop, .rest])
    state.read(id, at: 1 << 20, isBlocked: true)
    let action = state.next(at: 12 * Self.second)
    #expect(action == .start(Request(from: 1 << 20, to: 1 << 20 + FetchState.shortest)))
  }

  @Test func `far behind all readers nothing is kept that is over the limit`() {
    var state = FetchState(name: "URL", limits: FetchState.Limits(spool: 2 << 20))
    let id = state.addReader()
    state.read(id, at: 0, isBlocked: true)
    _ = state.next(at: 0)
    _ = state.respond(head(200) { $0.length = 100 << 20 }, at: 0)
    for step in 1...50 {
      state.read(id, at: Int64(step - 1) << 20, isBlocked: true)
      _ = state.receive(1 << 20, at: 0)
      _ = state.takeExcess()
      #expect(state.loaded.byteCount <= 3 << 20)
      #expect(state.loaded.run(from: Int64(step - 1) << 20) == 1 << 20)
    }
  }

  @Test(arguments: [
    ("200", 200), ("ICY 200 OK", 200), ("HTTP/1.1 206 Partial Content", 206), ("HTTP/2 404", 404),
  ])
  func `a status line says the status`(line: String, status: Int) {
    var head = ResponseHead()
    head.add(line)
    #expect(head.status == (line == "200" ? 0 : status))
  }
}
