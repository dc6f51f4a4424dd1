// SPDX-License-Identifier: Apache-2.0

@testable import PulseDevice
@testable import Rendering
import Testing

import Attacca

@Suite struct RendererHealthTests {
  struct Fault: Error {
    let number: Int
  }

  enum Situation: CaseIterable { case unknown, rendering, failed }
  enum Event: CaseIterable { case enqueued, fail, underran, splicedLate }

  /// The health after each event, in the order of `Event`: status, error, underruns, late splices.
  private static let table: [Situation: [String]] = [
    .unknown: ["rendering - 0 0", "failed 2 0 0", "unknown - 1 0", "unknown - 0 1"],
    .rendering: ["rendering - 0 0", "failed 2 0 0", "rendering - 1 0", "rendering - 0 1"],
    .failed: ["failed 1 0 0", "failed 1 0 0", "failed 1 1 0", "failed 1 0 1"],
  ]

  private func health(_ situation: Situation) -> RendererHealth {
    var health = RendererHealth()
    switch situation {
    case .unknown: break
    case .rendering: health.enqueued()
    case .failed: _ = health.fail(Fault(number: 1))
    }
    return health
  }

  private func text(_ health: RendererHealth) -> String {
    let error = (health.error as? Fault).map { "\($0.number)" } ?? "-"
    return "\(health.status) \(error) \(health.underruns) \(health.lateSplices)"
  }

  @Test(arguments: Situation.allCases)
  func `each event leads to one state`(situation: Situation) throws {
    for (event, expected) in zip(Event.allCases, try #require(Self.table[situation])) {
      var health = health(situation)
      switch event {
      case .enqueued: health.enqueued()
      case .fail:
        let isNew = health.fail(Fault(number: 2))
        #expect(isNew == (situation != .failed))
      case .underran: health.underran()
      case .splicedLate: health.splicedLate()
      }
      #expect(text(health) == expected, "\(event)")
    }
  }
}
