// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AttaccaCLI

@Suite struct SessionEndTests {
  enum Event: CaseIterable {
    /// The last item was skipped, or ended; the device failed; the user quit; a signal came.
    case skipped, ended, failed, quit, signal
  }

  private static func apply(_ event: Event, to end: inout SessionEnd) -> SessionEnd.Step? {
    switch event {
    case .skipped: end.end(fades: true)
    case .ended: end.end(fades: false)
    case .failed: end.end(fades: false, status: .refused)
    case .quit: end.end(fades: true, status: .done)
    case .signal: end.signalled()
    }
  }

  /// What each event is followed by behind those before, in the order of `Event`, and the status then.
  private static let table: [(before: [Event], [(SessionEnd.Step?, AttaccaCLI.ExitStatus)])] = [
    (
      [],
      [
        (.fade(isDecided: false), .done), (.finish(isDecided: false), .done),
        (.finish(isDecided: true), .refused), (.fade(isDecided: true), .done),
        (.fade(isDecided: true), .signalled),
      ]
    ),
    // A fade of what has played to its end is none that anyone asked for.
    (
      [.skipped],
      [
        (.fade(isDecided: false), .done), (.finish(isDecided: false), .done),
        (.finish(isDecided: true), .refused), (.fade(isDecided: true), .done),
        (.fade(isDecided: true), .signalled),
      ]
    ),
    (
      [.quit],
      [
        (SessionEnd.Step.none, .done), (.finish(isDecided: true), .done),
        (.finish(isDecided: true), .done), (SessionEnd.Step.none, .done),
        (SessionEnd.Step.none, .signalled),
      ]
    ),
    (
      [.signal],
      [
        (SessionEnd.Step.none, .signalled), (.finish(isDecided: true), .signalled),
        (.finish(isDecided: true), .signalled), (SessionEnd.Step.none, .signalled),
        (nil, .signalled),
      ]
    ),
  ]

  @Test func `each event has one step and one status, whatever came before`() {
    for (before, expected) in Self.table {
      for (event, (step, status)) in zip(Event.allCases, expected) {
        var end = SessionEnd()
        for event in before { _ = Self.apply(event, to: &end) }
        let taken = Self.apply(event, to: &end)
        #expect(taken == step, "\(before), \(event)")
        #expect(end.status == status, "\(before), \(event)")
      }
    }
  }

  @Test func `what has played decides where nobody did`() {
    for (played, failed, status) in [
      (0, 0, .nothingPlayable), (0, 2, .nothingPlayable), (3, 0, .done), (3, 1, .someFailed),
    ] as [(Int, Int, AttaccaCLI.ExitStatus)] {
      var end = SessionEnd()
      _ = end.end(fades: false)
      end.conclude(played: played, failed: failed)
      #expect(end.status == status)
    }
  }
}
