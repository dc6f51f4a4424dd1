// SPDX-License-Identifier: Apache-2.0

import Attacca
import Foundation
import PulseAudio
import TestSeeds
import TestServers

/// Storms of commands and faults, each with a calm after it, in which everything has to be right.
final class ChaosRun {
  private let log = ChaosLog()
  private let sounds: ChaosSounds
  private let recorder: ChaosRecorder
  private let stage: ChaosStage
  private var random: SplitMix64
  private(set) var storms = 0

  init(_ random: SplitMix64) throws {
    self.random = random
    sounds = try ChaosSounds()
    recorder = ChaosRecorder(log: log, lengths: sounds.lengths)
    stage = try ChaosStage(log: log, recorder: recorder)
  }

  /// Goes on for `seconds`; what was wrong, then.
  func run(seconds: Double) throws -> [String] {
    let end = HostTime.now + UInt64(seconds * 1e9)
    while HostTime.now < end, log.allViolations.isEmpty { try scene(until: end) }
    return log.allViolations
  }

  /// The life of a player and a few renderers: some storms, and nothing is left of them.
  private func scene(until end: UInt64) throws {
    let before = Belongings()
    weak var renderer: PulseAudioRenderer?
    do {
      let latency = [Latency.powerSaving, .balanced, .low].randomElement(using: &random)!
      log.note("a player at \(latency)")
      let player = try ChaosPlayer(
        address: stage.address, latency: latency, sounds: sounds, log: log)
      renderer = player.renderer
      let renderers = ChaosRenderers(address: stage.address, log: log)
      player.restore()
      for _ in 0..<5 where HostTime.now < end && log.allViolations.isEmpty {
        try storm(player, renderers)
        try calm(player)
      }
      log.note("the player goes")
    }
    let limit = HostTime.now + 15_000_000_000
    while HostTime.now < limit {
      recorder.read()
      if renderer == nil, Belongings().areWithin(before), try stage.streams().isEmpty { break }
      Thread.sleep(forTimeInterval: 0.1)
    }
    if renderer != nil { log.violate("the renderer is left") }
    let after = Belongings()
    if !after.areWithin(before) { log.violate("\(before) before a player, \(after) after it") }
    let streams = try stage.streams().count
    if streams > 0 { log.violate("\(streams) streams are left on the server") }
    log.forget()
  }

  /// Five seconds of commands from three threads, and of faults.
  private func storm(_ player: ChaosPlayer, _ renderers: ChaosRenderers) throws {
    storms += 1
    let end = HostTime.now + 5_000_000_000
    nonisolated(unsafe) var failure: (any Error)?
    nonisolated(unsafe) let (stage, renderers) = (stage, renderers)
    let group = DispatchGroup()
    for number in 0..<5 {
      let seed = random.next()
      group.enter()
      Thread {
        var random = SplitMix64(seed: seed)
        while HostTime.now < end {
          switch number {
          case 0:
            do { try stage.fault(&random) } catch {
              failure = error
              return group.leave()
            }
          case 1: renderers.command(&random)
          default: player.command(&random)
          }
          // From many in a row to one in a while.
          let rest = Double.random(in: -0.15...0.5, using: &random)
          Thread.sleep(forTimeInterval: max(0, rest))
        }
        group.leave()
      }.start()
    }
    let limit = HostTime.now + 120_000_000_000
    while group.wait(timeout: .now() + 0.05) == .timedOut {
      recorder.read()
      if HostTime.now > limit { throw Unmet("the end of a storm: a call does not return") }
    }
    if let failure { throw failure }
  }

  /// Everything is as it should be: four seconds are heard in order on the first sink, and what is
  /// heard is what the player says.
  private func calm(_ player: ChaosPlayer) throws {
    try stage.heal()
    player.restore()
    let limit = HostTime.now + 30_000_000_000
    while HostTime.now < limit {
      recorder.read()
      if let heard = recorder.heard(), heard.sink == ChaosStage.sinks[0],
        heard.inOrder > 4 * 48_000
      {
        return check(player, heard.item, heard.frame)
      }
      guard log.allViolations.isEmpty else { return }
      Thread.sleep(forTimeInterval: 0.05)
    }
    let (heard, span) = (recorder.heard(), player.player.currentSpan)
    log.violate(
      """
      30 s after everything is as it should be, no 4 s are heard in order but \
      \(heard.map { "\($0)" } ?? "nothing"); the player says rate \(player.player.rate), \
      \(player.player.synchronizer.currentTime().seconds) s, item \(span?.item.path ?? "none"), \
      \(player.player.playlist.count) items, device \(player.renderer.deviceName ?? "none"), \
      \(player.renderer.underrunCount) underruns
      """)
  }

  private func check(_ player: ChaosPlayer, _ item: Int, _ frame: Int) {
    let told = player.player.currentTime.seconds
    guard let path = player.player.currentItem?.path else {
      return log.violate("frame \(frame) of item \(item) is heard, and none is current")
    }
    // Near a joint the recorder may be in the item before.
    let length = sounds.lengths[item]!
    guard path.hasSuffix("/\(item).wav") else {
      if frame < length - 24_000 {
        log.violate("frame \(frame) of item \(item) is heard, and \(path) is current")
      }
      return
    }
    let apart = told - Double(frame) / 48_000
    if abs(apart) > 0.25, length > 24_000 {
      log.violate("frame \(frame) of item \(item) is heard, and \(told) s of it are told")
    }
  }
}

/// What a process holds: descriptors, and the threads that a player or renderer starts.
private struct Belongings: CustomStringConvertible {
  let files: Int
  let threads: [String: Int]

  init() {
    files = Self.names("/proc/self/fd").count
    var threads: [String: Int] = [:]
    for task in Self.names("/proc/self/task") {
      // One that has ended meanwhile is none.
      guard let data = FileManager.default.contents(atPath: "/proc/self/task/\(task)/comm") else {
        continue
      }
      let name = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .newlines)
      if name.hasPrefix("pulse") || name.hasPrefix("attacca") { threads[name, default: 0] += 1 }
    }
    self.threads = threads
  }

  private static func names(_ folder: String) -> [String] {
    do { return try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
      preconditionFailure("\(folder): \(error)")
    }
  }

  func areWithin(_ others: Belongings) -> Bool {
    files <= others.files && threads.allSatisfy { $0.value <= others.threads[$0.key, default: 0] }
  }

  var description: String { "\(files) files and threads \(threads)" }
}
