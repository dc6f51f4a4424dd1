// SPDX-License-Identifier: Apache-2.0

import MediaTime
@testable import Rendering
import Testing

import Attacca

@Suite struct RendererStartsTests {
  enum Situation: CaseIterable { case none, scheduled, woken, placed }
  enum Event: CaseIterable { case schedule, holdSilence, restartSilence, cancel, place }

  /// The starts after each event, in the order of `Event`: the one that waits, up to where there is silence before
  /// it, where the last one was placed, and the fade.
  private static let table: [Situation: [String]] = [
    .none: [
      "1 up to -, placed -, fade 7", "none, placed -, fade 7", "none, placed -, fade 7",
      "none, placed -, fade 7", "none, placed -, fade 7",
    ],
    .scheduled: [
      "2 up to -, placed -, fade 7", "1 up to 20, placed -, fade 7", "1 up to -, placed -, fade 7",
      "none, placed -, fade 7", "none, placed 30, fade 3",
    ],
    .woken: [
      "2 up to -, placed -, fade 7", "1 up to 20, placed -, fade 7", "1 up to 5, placed -, fade 7",
      "none, placed -, fade 7", "none, placed 30, fade 3",
    ],
    .placed: [
      "2 up to -, placed 30, fade 3", "none, placed 30, fade 3", "none, placed 30, fade 3",
      "none, placed 30, fade 3", "none, placed 30, fade 3",
    ],
  ]

  private static func events(_ situation: Situation) -> [Event] {
    switch situation {
    case .none: []
    case .scheduled: [.schedule]
    case .woken: [.schedule, .holdSilence]
    case .placed: [.schedule, .place]
    }
  }

  private func apply(_ event: Event, to starts: inout RendererStarts) {
    switch event {
    case .schedule: starts.schedule(atHostTime: 1_000, fade: 3)
    case .holdSilence: starts.holdSilence(upTo: 20)
    case .restartSilence: starts.restartSilence(at: 5)
    case .cancel:
      let number = starts.scheduled?.number
      let cancelled = starts.cancel()
      #expect(cancelled?.number == number)
    case .place: starts.place(at: 30)
    }
  }

  private func text(_ starts: RendererStarts) -> String {
    let scheduled = starts.scheduled.map { start in
      "\(start.number) up to \(start.silentUpTo.map { "\($0.number)" } ?? "-")"
    }
    let placed = starts.placed == .min ? "-" : "\(starts.placed.number)"
    return "\(scheduled ?? "none"), placed \(placed), fade \(starts.fade)"
  }

  @Test(arguments: Situation.allCases)
  func `each event leads to one state`(situation: Situation) throws {
    for (event, expected) in zip(Event.allCases, try #require(Self.table[situation])) {
      var starts = RendererStarts(fade: 7)
      for before in Self.events(situation) { apply(before, to: &starts) }
      apply(event, to: &starts)
      #expect(text(starts) == expected, "\(event)")
    }
  }
}
