// SPDX-License-Identifier: Apache-2.0

@testable import Rendering
import Testing

import Attacca

@Suite struct WantedSpeedTests {
  enum Situation: CaseIterable { case natural, double, backwards, beyond, tape, steered }
  enum Event: CaseIterable {
    case natural, double, backwards, beyond, tape, keepPitch, lead, follow, forget
  }

  /// The change that each event returns, in the order of `Event`, and the pace then.
  private static let table: [Situation: [String]] = [
    .natural: [
      "", "2.0 time domain", "-1.0", "beyond 8.0", "", "", "", "", "",
    ],
    .double: [
      "1.0", "", "-1.0", "beyond 8.0", "2.0", "", "", "", "",
    ],
    .backwards: [
      "1.0", "2.0 time domain", "", "beyond 8.0", "", "", "", "", "",
    ],
    .beyond: [
      "1.0", "2.0 time domain", "-1.0", "", "", "", "", "", "",
    ],
    .tape: [
      "1.0", "", "-1.0", "8.0", "", "2.0 time domain", "", "", "",
    ],
    .steered: [
      "", "2.0 time domain steered", "-1.0 steered", "beyond 8.0 steered", "", "", "1.0", "", "",
    ],
  ]

  private func speed(_ situation: Situation) -> WantedSpeed {
    var speed = WantedSpeed()
    switch situation {
    case .natural: break
    case .double: _ = apply(.double, to: &speed)
    case .backwards: _ = apply(.backwards, to: &speed)
    case .beyond: _ = apply(.beyond, to: &speed)
    case .tape:
      _ = apply(.double, to: &speed)
      _ = apply(.tape, to: &speed)
    case .steered:
      _ = speed.look(off: 0, time: 0, interval: 5, sampleRate: 48_000)
      _ = speed.look(off: 0.001, time: 10, interval: 5, sampleRate: 48_000)
    }
    return speed
  }

  private func apply(_ event: Event, to speed: inout WantedSpeed) -> WantedSpeed.Change {
    switch event {
    case .natural: return speed.set(rate: 1)
    case .double: return speed.set(rate: 2)
    case .backwards: return speed.set(rate: -1)
    case .beyond: return speed.set(rate: 8)
    case .tape: return speed.set(algorithm: .varispeed)
    case .keepPitch: return speed.set(algorithm: .timeDomain)
    case .lead: return speed.beginSteering(isFollower: false)
    case .follow: return speed.beginSteering(isFollower: true)
    case .forget:
      speed.forgetSteering()
      return .none
    }
  }

  private func text(_ change: WantedSpeed.Change, _ pace: Pace) -> String {
    guard case .pace(let isBeyond) = change else { return "" }
    return (isBeyond ? "beyond " : "") + "\(pace.isReversed ? "-" : "")\(pace.nominalRate)"
      + (pace.stretching.map { " \($0.name)" } ?? "")
      + (pace.rate == pace.nominalRate ? "" : " steered")
  }

  @Test(arguments: Situation.allCases)
  func `each event leads to one pace`(situation: Situation) throws {
    for (event, expected) in zip(Event.allCases, try #require(Self.table[situation])) {
      var speed = speed(situation)
      let before = speed.pace
      let change = apply(event, to: &speed)
      #expect(text(change, speed.pace) == expected, "\(event)")
      #expect((change == .none) == (speed.pace == before), "\(event)")
    }
  }

  @Test func `a correction is a whole number of timeline frames a second`() {
    let speed = speed(.steered)
    // 100 µs a second apart, and 1 ms to be made good in 5 s.
    #expect(speed.pace.rate == 1 + 14.0 / 48_000)
  }

  @Test func `a clock is lost at the second look at which it is away`() {
    var speed = WantedSpeed()
    let looks = [0, 0.5, 1].map { speed.isLost(time: $0) }
    #expect(looks == [false, false, true])
  }
}
