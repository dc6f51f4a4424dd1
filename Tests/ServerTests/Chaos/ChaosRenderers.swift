// SPDX-License-Identifier: Apache-2.0

import Attacca
import Dispatch
import Foundation
import PulseAudio
import TestSeeds

/// Renderers of a synchronizer without a player, commanded at random by one thread.
///
/// The first one is heard where `isHeard` says so; the others are mute, as what follows another device's
/// clock is converted and names itself no more.
final class ChaosRenderers: @unchecked Sendable {
  // @unchecked: used by one thread at a time.
  static let item = 41
  static let length = 400_000

  private let address: String
  private let log: ChaosLog
  private let isHeard: Bool
  private let synchronizer = RenderSynchronizer()
  private let queue = DispatchQueue(label: "chaos")
  private let feed = NumberedFeed(item: ChaosRenderers.item, length: ChaosRenderers.length)
  private weak var first: PulseAudioRenderer?
  private var oddity: Int?

  init(address: String, isHeard: Bool, log: ChaosLog) {
    (self.address, self.isHeard, self.log) = (address, isHeard, log)
  }

  private func make(on device: String?, isMuted: Bool) throws(PulseError) {
    let renderer = try PulseAudioRenderer(
      device: device, server: address, applicationName: "attacca tests", mediaName: "chaos, bare")
    renderer.isMuted = isMuted
    let feed = isMuted ? NumberedFeed(item: Self.item, length: Self.length) : feed
    feed.begins = { [log, isHeard] frame in
      // For as long as it is played: media time that runs into it is heard from there on.
      if isHeard { _ = log.begin("enqueued from \(frame) on", .seek(frame...frame)) }
    }
    renderer.requestMediaDataWhenReady(on: queue) { [weak renderer, weak synchronizer] in
      guard let renderer, let synchronizer else { return }
      feed.fill(renderer, from: synchronizer.currentTime())
    }
    synchronizer.addRenderer(renderer)
    if !isMuted {
      first = renderer
      log.listen(to: renderer)
    }
  }

  private func add(_ random: inout SplitMix64) {
    guard synchronizer.rate >= 0, synchronizer.renderers.count < 3 else { return }
    do throws(PulseError) {
      try make(on: ChaosStage.sinks.randomElement(using: &random), isMuted: true)
    } catch {
      // There is no server just now.
    }
  }

  /// Frames behind `frame` that a renderer may have no more, as they have been heard.
  ///
  /// It goes back into what it has of them: of 0.63 s it had 0.46, and silence was heard before. Further back the
  /// feed enqueues anew.
  private func forgotten(behind frame: Int64) -> Int {
    let heard = Int64(max(0, synchronizer.currentTime().seconds) * 48_000) - frame
    guard 1..<NumberedFeed.reach ~= heard else { return 0 }
    return min(Int(heard), Self.length - 1 - Int(frame) % Self.length)
  }

  private func beOdd() {
    if isHeard { oddity = oddity ?? log.begin("a rate, volume or removal", .oddity) }
  }

  /// Notes a command, by which what is heard may go on at media time `time`, or where it is.
  private func note(
    _ name: String, _ cause: ChaosCause = .transport, at time: MediaTime? = nil,
    due: UInt64? = nil, _ body: () -> Void
  ) {
    guard isHeard else { return body() }
    let number = log.begin(name, cause)
    defer { log.end(number) }
    if let time {
      let frame = Int(time.value) % Self.length
      log.note("\(name) at \(frame)", .seek(frame...(frame + forgotten(behind: time.value))))
      if let due { log.note("\(name), due then", .start(frame: frame, due: due)) }
    }
    body()
  }
}

extension ChaosRenderers: ChaosSubject {
  var threads: Int { 1 }

  /// One renderer plays on the first sink, which is heard.
  func restore(_ random: inout SplitMix64) throws {
    guard isHeard else { return }
    log.note("restore", .item)
    for renderer in synchronizer.renderers { synchronizer.removeRenderer(renderer) }
    synchronizer.rate = 0
    synchronizer.fade = .standard
    feed.begin()
    synchronizer.setRate(1, time: .zero)
    try make(on: ChaosStage.sinks[0], isMuted: false)
    if let oddity { log.end(oddity) }
    oddity = nil
  }

  func silence() { note("rate 0") { synchronizer.rate = 0 } }

  func insist() {
    guard let first, first.outputDevice != ChaosStage.sinks[0] else { return }
    note("device", .route) { first.outputDevice = ChaosStage.sinks[0] }
  }

  /// Frames heard in order after which all is well.
  var calm: Int { 4 * 48_000 }

  /// Gives one command.
  func command(_ random: inout SplitMix64, in weather: ChaosWeather) {
    let frame = Int64.random(in: 0..<20 * 48_000, using: &random)
    let time = MediaTime(value: frame, timescale: 48_000)
    let one = synchronizer.renderers.randomElement(using: &random)
    switch Int.random(in: 0..<(weather.isOdd ? 13 : 9), using: &random) {
    case 0...1: add(&random)
    case 2: note("rate 0") { synchronizer.rate = 0 }
    case 3: note("rate 1") { synchronizer.rate = 1 }
    case 4: note("time", at: time) { synchronizer.setRate(1, time: time) }
    case 5: note("time, paused", at: time) { synchronizer.setRate(0, time: time) }
    case 6:
      let then = HostClock.nanoseconds + UInt64.random(in: 0...800_000_000, using: &random)
      note("time at a host time", at: time, due: then) {
        synchronizer.setRate(1, time: time, atHostTime: HostClock.mediaTime(ofNanoseconds: then))
      }
    // What is enqueued first then, by another thread, decides where it goes on.
    case 7: note("flush", .oddity) { one?.flush() }
    case 8:
      note("device", .route) {
        first?.outputDevice = ChaosStage.sinks.randomElement(using: &random)
      }
    case 9:
      beOdd()
      synchronizer.rate = [0.5, 2].randomElement(using: &random)!
    case 10:
      beOdd()
      if let one { synchronizer.removeRenderer(one) }
    case 11:
      beOdd()
      if let one { synchronizer.removeRenderer(one, at: time) }
    default:
      beOdd()
      one?.volume = Float.random(in: 0...1, using: &random)
      one?.flush(fromSourceTime: time) { _ in }
    }
  }

  func complaint(_ heard: NamedFrame) -> String? {
    let told = synchronizer.currentTime().seconds
    let length = Double(Self.length) / 48_000
    let apart = (told - Double(heard.frame) / 48_000).remainder(dividingBy: length)
    return heard.item == Self.item && abs(apart) < ChaosRun.tolerance
      ? nil
      : "\(heard) is heard, and \(told) s are told, \(told.truncatingRemainder(dividingBy: length)) of it"
  }

  var isStopped: Bool { synchronizer.rate == 0 }

  var state: String {
    """
    rate \(synchronizer.rate), \(synchronizer.currentTime().seconds) s, \(synchronizer.renderers.count) \
    renderers, the first one on \(first?.deviceName ?? "none") with \(first?.underrunCount ?? -1) underruns, \
    \(first.map { "\($0.status)" } ?? "gone")
    """
  }
}
