// SPDX-License-Identifier: Apache-2.0

import Attacca
import Foundation
import PulseAudio
import TestSeeds
import TestServers

/// Storms of commands and faults, each with a calm after it, in which everything has to be right.
final class ChaosRun {
  /// Seconds between what is heard and what is told: a recorder's fragment of 40 ms, PipeWire's cycle of
  /// 43 ms, and what is between two looks.
  static let tolerance = 0.15
  /// Nanoseconds after which nothing is heard of what has been stopped, on a machine that is busy.
  private static let fadingOut: UInt64 = 1_500_000_000
  /// Nanoseconds for which what is heard may be another than is told.
  private static let looking: UInt64 = 5_000_000_000
  /// What is wrong is told so many times.
  private static let most = 40

  private let log = ChaosLog()
  private let sounds: ChaosSounds
  private let recorder: ChaosRecorder
  private let stage: ChaosStage
  private var random: SplitMix64
  private var storms = 0
  /// How often the server played nothing for anybody.
  private var brokenServers = 0

  /// What there was, for messages.
  var account: String {
    """
    \(storms) storms, \(recorder.account), \(brokenServers) servers broken, \(stage.ends) ended by themselves
    """
  }

  init(_ random: SplitMix64) throws {
    self.random = random
    sounds = try ChaosSounds()
    recorder = ChaosRecorder(log: log, items: sounds.items)
    stage = try ChaosStage(log: log, recorder: recorder, file: sounds.file)
  }

  /// Goes on for `seconds`; what was wrong, then.
  func run(seconds: Double) throws -> [String] {
    let end = HostTime.now() + UInt64(seconds * 1e9)
    repeat {
      try scene(until: end)
    } while HostTime.now() < end && log.allViolations.count < Self.most
    return log.allViolations
  }

  /// The life of a player and a few renderers: some storms, and nothing is left of them.
  private func scene(until end: UInt64) throws {
    let before = try belongings()
    weak var left: (any ChaosSubject)?
    do {
      let subject = try makeSubject()
      left = subject
      recorder.subject = subject
      // Beside a player all renderers are mute, so that what it plays names itself.
      let others: (any ChaosSubject)? =
        subject is ChaosPlayer
        ? ChaosRenderers(address: stage.address, isHeard: false, log: log) : nil
      try restore(subject)
      repeat {
        try storm([subject, others].compactMap { $0 })
        guard try calm(subject) else { break }
      } while HostTime.now() < end
        && Int.random(in: 0..<5, using: &random) > 0
      log.note("it goes", .item)
    }
    let limit = HostTime.now() + 15_000_000_000
    var after = before
    repeat {
      recorder.read()
      after = try belongings()
      if left == nil, after.areWithin(before) { break }
      Thread.sleep(forTimeInterval: 0.1)
    } while HostTime.now() < limit
    if left != nil { log.violate("what was played is not let go") }
    if !after.areWithin(before) {
      log.violate("\(before) before a player, \(after) after it: \(try stage.clients())")
    }
    log.forget()
  }

  private func makeSubject() throws -> any ChaosSubject {
    guard Int.random(in: 0..<4, using: &random) > 0 else {
      log.note("renderers", .item)
      return ChaosRenderers(address: stage.address, isHeard: true, log: log)
    }
    let latency = [Latency.responsive, .powerSaving, .balanced, .low].randomElement(using: &random)!
    log.note("a player at \(latency)", .item)
    return try letIn {
      try ChaosPlayer(
        address: stage.address, latency: latency, sounds: sounds, log: log, &random)
    }
  }

  private func restore(_ subject: any ChaosSubject) throws {
    try letIn { try subject.restore(&random) }
  }

  /// Does what connects, and again for 10 s where the server does not let it in.
  ///
  /// The server has room for five that wait to be let in, and others may be coming back: once in 24 minutes. It may
  /// have ended by itself.
  private func letIn<R>(_ body: () throws -> R) throws -> R {
    let limit = HostTime.now() + 10_000_000_000
    while true {
      do { return try body() } catch let error as PulseError where HostTime.now() < limit {
        log.note("\(error)")
        try stage.reviveIfEnded()
        Thread.sleep(forTimeInterval: 0.2)
      }
    }
  }

  private func belongings() throws -> Belongings {
    try stage.reviveIfEnded()
    return Belongings(streams: try stage.streams().count, connections: stage.connections)
  }

  /// Five seconds of commands from several threads, and of faults.
  private func storm(_ subjects: [any ChaosSubject]) throws {
    let weather = ChaosWeather(&random)
    log.note("a storm of \(weather)")
    storms += 1
    let end = HostTime.now() + 5_000_000_000
    nonisolated(unsafe) var failure: (any Error)?
    nonisolated(unsafe) let stage = stage
    let group = DispatchGroup()
    func inThread(_ body: @escaping @Sendable (inout SplitMix64) throws -> Void) {
      let seed = random.next()
      group.enter()
      Thread {
        defer { group.leave() }
        var random = SplitMix64(seed: seed)
        while HostTime.now() < end {
          do { try body(&random) } catch {
            failure = error
            return
          }
          // From many in a row to one in a while.
          let rest = Double.random(in: -0.15...0.5, using: &random)
          Thread.sleep(forTimeInterval: max(0, rest))
        }
      }.start()
    }
    if !weather.faults.isEmpty {
      inThread { try stage.fault(weather.faults.randomElement(using: &$0)!, &$0) }
    }
    for subject in subjects where weather.hasCommands {
      for _ in 0..<subject.threads { inThread { subject.command(&$0, in: weather) } }
    }
    let limit = HostTime.now() + 120_000_000_000
    var playing = HostTime.now()
    while HostTime.now() < end || group.wait(timeout: .now()) == .timedOut {
      recorder.read()
      // A server that is stopped goes on to play when it is not any more.
      if !weather.faults.isEmpty || !subjects[0].isStopped { playing = HostTime.now() }
      let now = HostTime.now()
      if now - playing > Self.fadingOut, recorder.isSound,
        // It may have played between two looks.
        !log.causes((now - Self.fadingOut)...now).contains(where: { $0 != .nothing })
      {
        log.violate("\(recorder.state), and nothing is to be heard: \(subjects[0].state)")
        playing = HostTime.now()
      }
      if HostTime.now() > limit {
        log.violate("a call does not return in 120 s, in process \(getpid()): \(log.lasting)")
        throw Unmet("the end of a storm: a call does not return")
      }
      Thread.sleep(forTimeInterval: 0.05)
    }
    if let failure { throw failure }
  }

  /// Everything is as it should be: seconds are heard in order on the first sink, and what is
  /// heard is what is told.
  ///
  /// - Returns: false where that is not so, and playing cannot go on.
  private func calm(_ subject: any ChaosSubject) throws -> Bool {
    try stage.heal()
    try restore(subject)
    while true {
      guard let complaint = try listen(to: subject) else { return true }
      if try stage.reviveIfEnded() {
        try restore(subject)
        continue
      }
      let clients = try stage.clients()
      subject.silence()
      guard try stage.isBroken() else {
        log.violate("\(complaint); \(clients)")
        return false
      }
      brokenServers += 1
      print(
        """
        chaos: the server plays nothing of another client's either, and is started anew: \(complaint); \
        \(clients)
        """)
      try stage.revive()
      try restore(subject)
    }
  }

  /// Listens until all is well; what is not, otherwise.
  private func listen(to subject: any ChaosSubject) throws -> String? {
    let limit = HostTime.now() + 30_000_000_000
    var complaint: (text: String, hostTime: UInt64)?
    while HostTime.now() < limit {
      recorder.read()
      if let heard = recorder.heard(on: ChaosStage.sinks[0]), heard.inOrder > subject.calm {
        guard let text = subject.complaint(heard.last) else { return nil }
        // It may be what was there before, which is to stop, or one look was late.
        let since = complaint?.hostTime ?? HostTime.now()
        complaint = (text, since)
        if HostTime.now() > since + Self.looking { break }
      }
      subject.insist()
      Thread.sleep(forTimeInterval: 0.05)
    }
    return complaint?.text ?? """
      30 s after everything is as it should be, no \(subject.calm) frames are heard in order but \
      \(recorder.state); what is played says \(subject.state)
      """
  }
}
