// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Testing

/// Wishes, rates and interruptions, in every state at every event.
@Suite struct SerializerTransportTests {
  enum Situation: CaseIterable {
    /// Nothing interrupts.
    case free
    /// What interrupts came while nothing was heard.
    case silent
    /// One cause, or two, took the sound away.
    case interrupted, interruptedTwice
  }

  enum Event: CaseIterable {
    case policyPlaying, policyPaused, suspendedPlaying, suspendedPaused, policyOver, suspendedOver
    case play, pause, sameWish, nothingCurrent, stop, end
  }

  private func transport(_ situation: Situation) -> SerializerTransport {
    var transport = SerializerTransport()
    _ = transport.follow(wish(1, isPlaying: true), hasCurrent: true)
    switch situation {
    case .free: break
    case .silent: _ = transport.interrupt(.policy, rate: 0)
    case .interrupted: _ = transport.interrupt(.policy, rate: 1)
    case .interruptedTwice:
      _ = transport.interrupt(.policy, rate: 1)
      _ = transport.interrupt(.deviceSuspended, rate: 0)
    }
    return transport
  }

  private func wish(_ number: Int, isPlaying: Bool) -> QueueState.Transport {
    var wish = QueueState.Transport()
    for _ in 0..<number { wish.pause() }
    wish.isPlaying = isPlaying
    wish.rate = 1.5
    return wish
  }

  /// The answer: the rate that is to be, or whether something is to be done; then whether playing goes
  /// on by itself later.
  private func answer(_ event: Event, in situation: Situation) -> String {
    var transport = transport(situation)
    let answer: String =
      switch event {
      case .policyPlaying: "\(transport.interrupt(.policy, rate: 1))"
      case .policyPaused: "\(transport.interrupt(.policy, rate: 0))"
      case .suspendedPlaying: "\(transport.interrupt(.deviceSuspended, rate: 1))"
      case .suspendedPaused: "\(transport.interrupt(.deviceSuspended, rate: 0))"
      case .policyOver: "\(transport.endInterruption(.policy))"
      case .suspendedOver: "\(transport.endInterruption(.deviceSuspended))"
      case .play: rate(transport.follow(wish(2, isPlaying: true), hasCurrent: true))
      case .pause: rate(transport.follow(wish(2, isPlaying: false), hasCurrent: true))
      case .sameWish: rate(transport.follow(wish(1, isPlaying: true), hasCurrent: true))
      case .nothingCurrent: rate(transport.follow(wish(1, isPlaying: true), hasCurrent: false))
      case .stop:
        {
          transport.stop(); return "done"
        }()
      case .end:
        {
          transport.end(); return "done"
        }()
      }
    return "\(answer) \(transport.isInterrupted ? "waits" : "free")"
  }

  private func rate(_ rate: Double?) -> String { rate.map { "\($0)" } ?? "same" }

  /// Columns are free, silent, interrupted and interrupted twice.
  private static let table: [Event: [String]] = [
    .policyPlaying: ["true waits", "true waits", "true waits", "true waits"],
    .policyPaused: ["false free", "false free", "false waits", "false waits"],
    .suspendedPlaying: ["true waits", "true waits", "true waits", "true waits"],
    .suspendedPaused: ["false free", "false free", "false waits", "false waits"],
    .policyOver: ["false free", "false free", "true free", "false waits"],
    .suspendedOver: ["false free", "false free", "false waits", "false waits"],
    .play: ["1.5 free", "1.5 free", "1.5 free", "1.5 free"],
    .pause: ["0.0 free", "0.0 free", "0.0 free", "0.0 free"],
    .sameWish: ["same free", "same free", "same waits", "same waits"],
    .nothingCurrent: ["0.0 free", "0.0 free", "0.0 free", "0.0 free"],
    .stop: ["done free", "done free", "done free", "done free"],
    .end: ["done free", "done free", "done waits", "done waits"],
  ]

  @Test(arguments: Event.allCases)
  func `every state answers every event as the table says`(event: Event) {
    let answers = Situation.allCases.map { answer(event, in: $0) }
    #expect(answers == Self.table[event])
  }

  @Test func `what ended is current no more, so that the same wish is a new one`() {
    var transport = transport(.free)
    transport.end()
    let rate = transport.follow(wish(1, isPlaying: true), hasCurrent: true)
    #expect(rate == 1.5)
  }

  @Test func `a rate is told once`() {
    var transport = SerializerTransport()
    let told = [0, 1, 1, -1].map { transport.tell($0) }
    #expect(told == [false, true, false, true])
  }

  @Test func `a rate set on the clock is the wish unless a later one is on its way`() {
    var wish = wish(3, isPlaying: false)
    wish.follow(2, afterRequest: 2)
    #expect(!wish.isPlaying && wish.rate == 1.5)
    wish.follow(2, afterRequest: 3)
    #expect(wish.isPlaying && wish.rate == 2)
    wish.follow(0, afterRequest: 3)
    #expect(!wish.isPlaying && wish.rate == 2)
  }
}
