// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Foundation
import PulseAudio
import TestSeeds

/// A player that several threads command at random.
final class ChaosPlayer: ChaosSubject, @unchecked Sendable {
  // @unchecked: `oddity` is touched under `lock` only, what there is besides does not change.
  let renderer: PulseAudioRenderer
  let player: SampleBufferPlayer
  private let sounds: ChaosSounds
  private let log: ChaosLog
  /// Whoever names an item by its index holds it.
  private let lock = NSLock()
  /// The note of a rate, volume or loop by which frames do not name themselves in order.
  private var oddity: Int?

  init(
    address: String, latency: Latency, sounds: ChaosSounds, log: ChaosLog,
    _ random: inout SplitMix64
  ) throws {
    (self.sounds, self.log) = (sounds, log)
    calm = latency == .low ? 12_000 : 4 * 48_000
    renderer = try PulseAudioRenderer(
      device: "a", server: address, latency: latency, applicationName: "attacca tests",
      mediaName: "chaos")
    player = SampleBufferPlayer(renderer: renderer)
    let events = player.events
    Task { for await event in events { Self.tell(event, log) } }
    log.listen(to: renderer)
    player.playlist.append(contentsOf: (0..<8).map { _ in sounds.item(&random) })
  }

  private static func tell(_ event: PlaybackEvent, _ log: ChaosLog) {
    let text = String(String(describing: event).prefix(120))
    switch event {
    // Told of what happens by itself as items follow each other: it explains nothing.
    case .currentItemDidChange, .chapterDidChange, .itemDidFinish, .durationDidChange,
      .tagsDidChange,
      .silenceSkipped, .progress, .rateDidChange, .outputVolumeDidChange, .deviceRefused,
      .pitchFollowsRate:
      log.hear(text, .nothing)
    case .itemsDidFail, .endOfQueue, .didFallAsleep: log.hear(text, .item)
    case .waitingBegan, .waitingEnded, .underrun, .outputDidChange,
      .mediaServicesWereLost, .mediaServicesWereReset:
      log.hear(text, .transport)
    case .interruptionBegan, .interruptionEnded: log.hear(text, .interruption)
    case .routeDidChange: log.hear(text, .route)
    case .failed(let error): log.violate("playing is over: \(error)")
    }
  }

  var threads: Int { 3 }
  /// With 60 ms in the server it runs dry on a machine that has something else to do: 58 times within 30 s.
  let calm: Int

  /// Everything that a command may have changed is as at first, and it plays.
  func restore(_ random: inout SplitMix64) {
    lock.withLock {
      log.note("restore", .item)
      let list = player.playlist
      while list.count < 4 { list.append(sounds.item(&random)) }
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

  func silence() { note("pause", .transport) { player.pause() } }

  func insist() {
    // A server that was far away may have moved the stream, as a user does, after that.
    guard player.outputDevice != "a" else { return }
    note("device a", .route) { player.outputDevice = "a" }
  }

  private func beOdd() {
    lock.withLock { oddity = oddity ?? log.begin("a rate, volume or loop", .oddity) }
  }

  // MARK: Commands

  /// Gives one command.
  func command(_ random: inout SplitMix64, in weather: ChaosWeather) {
    var kinds = [move, edit, follow, change, look]
    if weather.isOdd { kinds += [beStrange] }
    kinds.randomElement(using: &random)!(&random)
  }

  private func note<R>(_ name: String, _ cause: ChaosCause, _ body: () -> R) {
    // Before it is done: what it does may be heard before this thread goes on, or long after it began.
    let number = log.begin(name, cause)
    _ = body()
    log.end(number)
  }

  /// Where it plays.
  private func move(_ random: inout SplitMix64) {
    let time = Self.time(&random)
    let frame = ChaosCause.seek(Int(time.value)...Int(time.value))
    switch Int.random(in: 0..<11, using: &random) {
    case 0...1: note("play", .item) { player.play() }
    case 2: note("pause", .transport) { player.pause() }
    case 3: note("toggle", .item) { player.togglePlayPause() }
    case 4: note("stop", .transport) { player.stop() }
    case 5: note("next", .item) { player.next() }
    case 6: note("previous", .item) { player.previous() }
    case 7: withIndex("jump", .item, &random) { _ = player.jump(to: $1) }
    // Past an item's end the next one begins.
    case 8:
      log.note("jump", .item)
      withIndex("jump to \(time.value) of", frame, &random) {
        _ = player.jump(to: $1, offset: time)
      }
    default:
      log.note("seek", .item)
      note("seek to \(time.value)", frame) { player.seek(to: time) }
    }
  }

  /// What is in the list.
  private func edit(_ random: inout SplitMix64) {
    let item = sounds.item(&random)
    switch Int.random(in: 0..<12, using: &random) {
    case 0...1: withIndex("insert", .item, &random) { if $0.count < 40 { $0.insert(item, at: $1) } }
    case 2...3: withIndex("remove", .item, &random) { $0.remove(at: $1) }
    case 4...5: withIndex("move", .item, &random) { $0.move(from: $1, to: $0.count - 1 - $1) }
    case 6...7: withIndex("replace", .item, &random) { $0.replace(at: $1, with: item) }
    case 8: lock.withLock { note("clear", .item) { player.playlist.clear() } }
    default: lock.withLock { note("append", .item) { player.playlist.append(item) } }
    }
  }

  /// What follows.
  private func follow(_ random: inout SplitMix64) {
    let (seed, isOn) = (random.next(), Bool.random(using: &random))
    switch Int.random(in: 0..<4, using: &random) {
    case 0: note("shuffle", .item) { player.playlist.shuffle(seed: seed) }
    case 1: note("unshuffle", .item) { player.playlist.unshuffle() }
    case 2: note("repeat", .item) { player.setRepeatMode(RepeatMode.allCases[Int(seed % 3)]) }
    default: note("stop after \(isOn)", .item) { player.stopAfterCurrent(isOn) }
    }
  }

  /// Where it is heard, and how it changes.
  private func change(_ random: inout SplitMix64) {
    let time = player.synchronizer.currentTime() + Self.time(&random)
    let device = ["a", "b", nil, "nowhere"].randomElement(using: &random)!
    let fade = Fade(milliseconds: [5, 50, 300].randomElement(using: &random)!)
    switch Int.random(in: 0..<4, using: &random) {
    case 0: note("device \(device ?? "default")", .route) { player.outputDevice = device }
    case 1: note("flush", .transport) { renderer.flush() }
    case 2: note("flush from", .transport) { renderer.flush(fromSourceTime: time) { _ in } }
    default: note("fade", .nothing) { player.synchronizer.fade = fade }
    }
  }

  /// By what frames do not name themselves, or not in order.
  private func beStrange(_ random: inout SplitMix64) {
    let rate = [0.5, 0.9, 1, 1, 1.25, 2, -1, 16].randomElement(using: &random)!
    let volume = Float.random(in: 0...1, using: &random)
    let (start, length) = (Self.time(&random), Self.time(&random))
    beOdd()
    switch Int.random(in: 0..<7, using: &random) {
    case 0: note("rate \(rate)", .oddity) { player.setRate(rate) }
    case 1: note("volume", .oddity) { renderer.volume = volume }
    case 2: note("mute", .oddity) { renderer.isMuted.toggle() }
    case 3: note("no fade", .oddity) { player.synchronizer.fade = .none }
    case 4: note("end loop", .oddity) { player.endLoop() }
    case 5:
      note("seek by", .oddity) { player.seek(by: length - MediaTime(value: 3, timescale: 1)) }
    default:
      let end = start + length + MediaTime(value: 1, timescale: 10)
      note("loop", .oddity) { player.setLoop(from: start, to: end) }
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
    _ name: String, _ cause: ChaosCause, _ random: inout SplitMix64, _ body: (Playlist, Int) -> Void
  ) {
    lock.withLock {
      let list = player.playlist
      guard list.count > 0 else { return }
      let index = Int.random(in: 0..<list.count, using: &random)
      note("\(name) \(index)", cause) { body(list, index) }
    }
  }

  // MARK: What it tells

  func complaint(_ heard: NamedFrame) -> String? {
    let told = player.currentTime.seconds
    guard let path = player.currentItem?.path else {
      return "\(heard) is heard, and none is current"
    }
    let apart = told - Double(heard.frame) / 48_000
    return path.hasSuffix("/\(heard.item).wav") && abs(apart) < ChaosRun.tolerance
      ? nil
      : """
      \(heard) is heard, and \(told) s of \(path) are told\
      \(player.serializer.hearing == nil ? ", as no item is known there" : "")
      """
  }

  var isStopped: Bool { !player.isPlaying }

  var state: String {
    """
    rate \(player.rate), time passes at \(player.synchronizer.timebase.rate), \
    \(player.synchronizer.currentTime().seconds) s, \(renderer.format), item \
    \(player.currentItem?.path ?? "none"), \(player.playlist.count) items, device \
    \(renderer.deviceName ?? "none"), \(renderer.underrunCount) underruns, waiting \
    \(player.waiting.map { "\($0)" } ?? "for nothing")
    """
  }
}
