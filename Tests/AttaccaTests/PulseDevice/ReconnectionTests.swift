// SPDX-License-Identifier: Apache-2.0

import PulseAudio
@testable import PulseDevice
@testable import Rendering
import Testing

import Attacca

@Suite struct ReconnectionTests {
  @Test func `waits double from 50 ms to 2 s`() {
    let waits = (0..<9).map { Reconnection.wait(before: $0) / 1_000_000 }
    #expect(waits == [50, 100, 200, 400, 800, 1_600, 2_000, 2_000, 2_000])
    #expect(Reconnection.wait(before: .max) == 2_000_000_000)
  }

  // MARK: Every state and every event

  enum Situation: CaseIterable {
    case connected, switching, stranded, waiting, connecting, failed, closed
  }

  enum Event: CaseIterable {
    case lost, wanted, elapsed, opened, refused, refusedForGood, close
  }

  /// The action, without its generation.
  enum Answer: Hashable { case none, wait(Int), open, use, discard, stay, fail }

  /// The situation, made of calls; waits and attempts are the third ones.
  private func link(_ situation: Situation) -> Reconnection {
    var link = Reconnection(isConnected: situation != .waiting && situation != .connecting)
    switch situation {
    case .connected: break
    case .switching: _ = link.wanted()
    case .stranded:
      _ = link.wanted()
      _ = link.lost()
    case .waiting, .connecting:
      for _ in 0..<2 {
        if link.generation == 0 { _ = link.elapsed(0) } else { _ = link.elapsed(link.generation) }
        _ = link.refused(link.generation, .temporary)
      }
      if situation == .connecting { _ = link.elapsed(link.generation) }
    case .failed:
      _ = link.lost()
      _ = link.elapsed(link.generation)
      _ = link.refused(link.generation, .permanent)
    case .closed: link.close()
    }
    return link
  }

  private func apply(
    _ event: Event, to link: inout Reconnection, generation: Int
  ) -> Reconnection.Action {
    switch event {
    case .lost: return link.lost()
    case .wanted: return link.wanted()
    case .elapsed: return link.elapsed(generation)
    case .opened: return link.opened(generation)
    case .refused: return link.refused(generation, .temporary)
    case .refusedForGood: return link.refused(generation, .permanent)
    case .close:
      link.close()
      return .none
    }
  }

  private func answer(_ action: Reconnection.Action, in link: Reconnection) -> Answer {
    switch action {
    case .none: return .none
    case .wait(let nanoseconds, let generation):
      #expect(generation == link.generation)
      return .wait(Int(nanoseconds / 1_000_000))
    case .open(let generation):
      #expect(generation == link.generation)
      return .open
    case .use: return .use
    case .discard: return .discard
    case .stay: return .stay
    case .fail: return .fail
    }
  }

  /// In the order of `Event`.
  private static let table: [Situation: [(Answer, Reconnection.State)]] = [
    .connected: [
      (.wait(50), .waiting(attempt: 0)), (.open, .switching), (.none, .connected),
      (.discard, .connected), (.none, .connected), (.none, .connected), (.none, .closed),
    ],
    .switching: [
      (.none, .stranded), (.open, .switching), (.none, .switching), (.use, .connected),
      (.stay, .connected), (.stay, .connected), (.none, .closed),
    ],
    .stranded: [
      (.none, .stranded), (.open, .connecting(attempt: 0)), (.none, .stranded),
      (.use, .connected), (.wait(50), .waiting(attempt: 0)), (.wait(50), .waiting(attempt: 0)),
      (.none, .closed),
    ],
    .waiting: [
      (.none, .waiting(attempt: 2)), (.open, .connecting(attempt: 2)),
      (.open, .connecting(attempt: 2)), (.discard, .waiting(attempt: 2)),
      (.none, .waiting(attempt: 2)), (.none, .waiting(attempt: 2)), (.none, .closed),
    ],
    .connecting: [
      (.none, .connecting(attempt: 2)), (.open, .connecting(attempt: 2)),
      (.none, .connecting(attempt: 2)), (.use, .connected),
      (.wait(400), .waiting(attempt: 3)), (.fail, .failed), (.none, .closed),
    ],
    .failed: [
      (.none, .failed), (.none, .failed), (.none, .failed), (.discard, .failed),
      (.none, .failed), (.none, .failed), (.none, .closed),
    ],
    .closed: [
      (.none, .closed), (.none, .closed), (.none, .closed), (.discard, .closed),
      (.none, .closed), (.none, .closed), (.none, .closed),
    ],
  ]

  @Test(arguments: Situation.allCases, Event.allCases)
  func `each event has one answer in each state`(situation: Situation, event: Event) throws {
    let row = try #require(Self.table[situation])
    let expected = row[try #require(Event.allCases.firstIndex(of: event))]
    var link = link(situation)
    let action = apply(event, to: &link, generation: link.generation)
    #expect(answer(action, in: link) == expected.0)
    #expect(link.state == expected.1)
  }

  @Test(arguments: Situation.allCases, [Event.elapsed, .opened, .refused, .refusedForGood])
  func `what has been overtaken changes nothing`(situation: Situation, event: Event) {
    var link = link(situation)
    let (state, generation) = (link.state, link.generation)
    let action = apply(event, to: &link, generation: generation - 1)
    #expect(action == (event == .opened ? .discard : .none))
    #expect(link.state == state)
    #expect(link.generation == generation)
  }

  @Test func `the wait after a return is the shortest again`() throws {
    var link = link(.connecting)
    #expect(link.opened(link.generation) == .use)
    #expect(answer(link.lost(), in: link) == .wait(50))
  }

  // MARK: What is waited for

  @Test(arguments: [
    (PulseError.Reason.serverMissing, Reconnection.Refusal.temporary),
    (.serverGone, .temporary), (.notThere, .temporary), (.ended, .temporary),
    (.unresponsive, .temporary), (.other, .temporary), (.invalidAddress, .permanent),
    (.accessDenied, .permanent), (.incompatible, .permanent), (.unsupported, .permanent),
  ])
  func `what may come back is waited for, and what stays refused is not`(
    reason: PulseError.Reason, refusal: Reconnection.Refusal
  ) {
    #expect(Reconnection.Refusal(reason) == refusal)
  }

  /// The numbers of `pulse/def.h`.
  @Test(
    arguments: [
      (1, PulseError.Reason.accessDenied), (3, .unsupported), (5, .notThere), (6, .serverMissing),
      (7, .incompatible), (8, .unresponsive), (9, .accessDenied), (10, .other), (11, .serverGone),
      (12, .ended), (13, .invalidAddress), (15, .other), (16, .other), (17, .incompatible),
      (18, .other), (19, .unsupported), (99, .other),
    ] as [(Int32, PulseError.Reason)])
  func `each code has its reason`(code: Int32, reason: PulseError.Reason) {
    #expect(PulseError(code: code, call: "x").reason == reason)
  }
}
