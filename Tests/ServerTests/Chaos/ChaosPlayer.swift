// SPDX-License-Identifier: Apache-2.0

import Attacca
import Foundation
import PulseAudio
import TestSeeds

/// A player that several threads command at random.
final class ChaosPlayer: @unchecked Sendable {
  // @unchecked: `isOdd` is touched under `lock` only, what there is besides does not change.
  let renderer: PulseAudioRenderer
  let player: SampleBufferPlayer
  private let sounds: ChaosSounds
  private let log: ChaosLog
  /// Whoever names an item by its index holds it.
  private let lock = NSLock()
  /// The note of a rate, volume or loop by which frames do not name themselves in order.
  private var oddity: Int?

  init(
    address: String, latency: Latency, sounds: ChaosSounds, log: ChaosLog
  ) throws {
    (self.sounds, self.log) = (sounds, log)
    renderer = try PulseAudioRenderer(
      device: "a", server: address, latency: latency, applicationName: "attacca tests",
      mediaName: "chaos")
    player = SampleBufferPlayer(renderer: renderer)
    let events = player.events
    Task { for await event in events { Self.tell(event, log) } }
    player.playlist.append(contentsOf: (0..<8).map { _ in sounds.item() })
  }

  private static func tell(_ event: PlaybackEvent, _ log: ChaosLog) {
    switch event {
    // Told of what happens by itself as items follow each other: it explains nothing.
    case .currentItemDidChange, .itemDidFinish, .progress, .rateDidChange: break
    case .failed(let error): log.violate("playing is over: \(error)")
    default: log.hear("told \(String(String(describing: event).prefix(120)))")
    }
  }

  /// Everything that a command may have changed is as at first, and it plays.
  func restore() {
    lock.withLock {
      log.note("restore")
      let list = player.playlist
      while list.count < 4 { list.append(sounds.item()) }
      player.setRepeatMode(.all)
      player.stopAfterCurrent(false)
      player.endLoop()
      renderer.volume = 1
      renderer.isMuted = false
      player.synchronizer.fade = .standard
      player.outputDevice = "a"
      player.setRate(1)
      player.play()
      if let oddity { log.end(oddity) }
      oddity = nil
    }
  }

  private func beOdd() {
    lock.withLock { oddity = oddity ?? log.begin("a rate, volume or loop") }
  }

  // MARK: Commands

  /// Gives one command.
  func command(_ random: inout SplitMix64) {
    let kinds = [move, edit, order, change, look]
    kinds.randomElement(using: &random)!(&random)
  }

  private func note<R>(_ name: String, _ body: () -> R) {
    log.note(name)
    _ = body()
  }

  /// Where it plays.
  private func move(_ random: inout SplitMix64) {
    let time = Self.time(&random)
    switch Int.random(in: 0..<10, using: &random) {
    case 0...1: note("play") { player.play() }
    case 2: note("pause") { player.pause() }
    case 3: note("toggle") { player.togglePlayPause() }
    case 4: note("stop") { player.stop() }
    case 5: note("next") { player.next() }
    case 6: note("previous") { player.previous() }
    case 7: note("seek by") { player.seek(by: time - MediaTime(value: 3, timescale: 1)) }
    case 8: withIndex("jump", &random) { player.jump(to: $1) }
    default: note("seek") { player.seek(to: time) }
    }
  }

  /// What is in the list.
  private func edit(_ random: inout SplitMix64) {
    let item = sounds.item()
    switch Int.random(in: 0..<6, using: &random) {
    case 0: withIndex("insert", &random) { if $0.count < 40 { $0.insert(item, at: $1) } }
    case 1: withIndex("remove", &random) { $0.remove(at: $1) }
    case 2: withIndex("move", &random) { $0.move(from: $1, to: $0.count - 1 - $1) }
    case 3: withIndex("replace", &random) { $0.replace(at: $1, with: item) }
    case 4 where item.path.hasSuffix("/37.wav"):
      lock.withLock { note("clear") { player.playlist.clear() } }
    default: lock.withLock { note("append") { player.playlist.append(item) } }
    }
  }

  /// What follows.
  private func order(_ random: inout SplitMix64) {
    let (seed, isOn) = (random.next(), Bool.random(using: &random))
    let (start, length) = (Self.time(&random), Self.time(&random))
    switch Int.random(in: 0..<6, using: &random) {
    case 0: note("shuffle") { player.playlist.shuffle(seed: seed) }
    case 1: note("unshuffle") { player.playlist.unshuffle() }
    case 2: note("repeat") { player.setRepeatMode(RepeatMode.allCases[Int(seed % 3)]) }
    case 3: note("stop after \(isOn)") { player.stopAfterCurrent(isOn) }
    case 4: note("end loop") { player.endLoop() }
    default:
      beOdd()
      let end = start + length + MediaTime(value: 1, timescale: 10)
      note("loop") { player.setLoop(from: start, to: end) }
    }
  }

  /// How it sounds, and where.
  private func change(_ random: inout SplitMix64) {
    let (rate, volume) = (
      [0.5, 0.9, 1, 1, 1.25, 2, -1, 16].randomElement(using: &random)!,
      Float.random(in: 0...1, using: &random)
    )
    let time = player.synchronizer.currentTime() + Self.time(&random)
    let device = ["a", "b", nil, "nowhere"].randomElement(using: &random)!
    let fade = Fade(milliseconds: [0, 5, 50, 300].randomElement(using: &random)!)
    switch Int.random(in: 0..<7, using: &random) {
    case 0:
      beOdd()
      note("rate \(rate)") { player.setRate(rate) }
    case 1:
      beOdd()
      note("volume") { renderer.volume = volume }
    case 2:
      beOdd()
      note("mute") { renderer.isMuted.toggle() }
    case 3: note("device \(device ?? "default")") { player.outputDevice = device }
    case 4: note("flush") { renderer.flush() }
    case 5: note("flush from") { renderer.flush(fromSourceTime: time) { _ in } }
    default: note("fade") { player.synchronizer.fade = fade }
    }
  }

  /// What there is, and is to be told.
  private func look(_ random: inout SplitMix64) {
    let time = player.synchronizer.currentTime() + Self.time(&random)
    let observation = player.synchronizer.addBoundaryTimeObserver(
      forTimes: [time], queue: .global()
    ) {}
    if Bool.random(using: &random) { observation.cancel() }
    _ = (player.currentItem, player.currentTime, player.duration, player.rate)
    _ = (player.playlist.count, renderer.status, renderer.deviceName)
  }

  /// Up to six seconds.
  private static func time(_ random: inout SplitMix64) -> MediaTime {
    MediaTime(value: Int64.random(in: 0..<6 * 48_000, using: &random), timescale: 48_000)
  }

  /// A place in the list, while nobody else changes its length; nothing where it is empty.
  private func withIndex(
    _ name: String, _ random: inout SplitMix64, _ body: (Playlist, Int) -> Void
  ) {
    lock.withLock {
      let list = player.playlist
      guard list.count > 0 else { return }
      let index = Int.random(in: 0..<list.count, using: &random)
      note(name) { body(list, index) }
    }
  }
}
