// SPDX-License-Identifier: Apache-2.0

import Attacca
import Glibc
import PulseAudio
import Synchronization

/// A player on a server's sink that is given commands, and the sink's monitor that tells when they
/// are heard.
struct LatencyRun {
  private let recording: MonitorRecording
  private let player: SampleBufferPlayer
  private let sounds: NumberedSounds
  private let fade: Int
  /// Microseconds after which a stream whose pause has been heard is stopped.
  private let restTime: UInt32
  /// The item that should be heard.
  private var current: PlaylistItem.ID
  private var soundOfItem: [PlaylistItem.ID: Int] = [:]
  private let late: LateSplices
  /// Where the last pause was made.
  private var pausedAt = 0

  /// Begins to play, and waits until that is heard.
  ///
  /// `recording` is of `sink`; `commands` is how many times each operation will be measured.
  ///
  /// - Throws: where there is no such sink, or nothing is heard.
  init(
    server: HeadlessServer, sink: String, recording: MonitorRecording, sounds: NumberedSounds,
    fade: Fade, latency: Latency, commands: Int
  ) throws {
    (self.recording, self.sounds) = (recording, sounds)
    self.fade = fade.milliseconds * HeadlessServer.format.sampleRate / 1_000
    restTime = recording.fragmentMilliseconds > 2 || server.kind == .pipeWire ? 250_000 : 120_000
    player = SampleBufferPlayer(
      renderer: try PulseAudioRenderer(
        device: sink, server: server.address, latency: latency, applicationName: "attacca bench"),
      fade: fade)
    late = LateSplices(player.renderer.rendererEvents)
    // Two items go with each round, and one more is heard at the end.
    var list: [PlaylistItem] = []
    for i in 0..<2 * commands + 2 {
      let sound = i % NumberedSounds.count + 1
      let item = PlaylistItem(path: sounds.path(sound))
      list.append(item)
      soundOfItem[item.id] = sound
    }
    // The sink first has to get used to the recorder: until then its blocks are 50 ms.
    if recording.keepsAwake {
      try Self.wait(recording, beyond: HeadlessServer.format.sampleRate / 4)
    }
    current = list[0].id
    player.playlist.append(contentsOf: list)
    player.play()
    try settle()
  }

  /// Rewrites so far that reached the server too late to be heard in full.
  var lateCount: Int { late.count.load(ordering: .relaxed) }

  private final class LateSplices: Sendable {
    let count = Atomic<Int>(0)

    init(_ events: EventSequence<RendererEvent>) {
      Task { [weak self] in
        for await event in events {
          if case .lateSplice = event { self?.count.add(1, ordering: .relaxed) }
        }
      }
    }
  }

  /// Underruns so far.
  var underrunCount: Int { player.renderer.underrunCount }

  /// Waits until it plays, at most 5 s, and half a second more.
  private func settle() throws {
    let half = HeadlessServer.format.sampleRate / 2
    for _ in 0..<10 {
      let count = recording.frameCount
      try wait(beyond: count + half)
      if recording.frames(from: count)[0] != .silence { break }
    }
  }

  private func wait(beyond frame: Int) throws { try Self.wait(recording, beyond: frame) }

  private static func wait(_ recording: MonitorRecording, beyond frame: Int) throws {
    guard try recording.wait(beyond: frame, milliseconds: 5_000) else {
      throw BenchError("nothing has come from the sink's monitor for 5 s")
    }
  }

  /// Gives one command and waits until its effect is complete.
  ///
  /// Commands come at random times, as the sink's blocks do not wait for them.
  ///
  /// - Throws: where what is heard before it, or no effect of it within 5 s, makes it worthless.
  mutating func measure(_ operation: LatencyOperation) throws -> LatencySample {
    if operation == .scheduledStart { _ = try measure(.pause) }
    if operation == .wake {
      // The sink is asleep once nothing comes from its monitor.
      while try recording.wait(beyond: recording.frameCount, milliseconds: 500) {}
    } else {
      // The stream is stopped a little after a pause has been heard.
      usleep(.random(in: 0...20_000) + (operation.beginsInSilence ? restTime : 0))
    }
    let start = recording.frameCount
    recording.forget(before: start - 1)
    let last = recording.frames(from: start - 1)[0]
    let isSteady =
      if case .exact = last { !operation.beginsInSilence } else {
        last == .silence && operation.beginsInSilence
      }
    guard isSteady else {
      throw BenchError("before ‘\(operation.rawValue)’ \(last) is heard")
    }
    let command = try prepare(operation)
    let called = HostTime.now
    command.give()
    let firstNew = try firstChange(from: start, after: last, operation)
    try wait(beyond: firstNew + LatencyReading.length(fade: fade))
    let frames = recording.frames(from: start)
    let reading = LatencyReading(
      frames, firstNew: firstNew - start, fade: fade, expecting: command.expectation,
      beginsInSilence: operation.beginsInSilence,
      // A monitor wakes with its sink, and without the sink's first block.
      missable: operation == .wake ? recording.block : 0)
    if operation == .pause, case .exact(_, let number) = last {
      pausedAt = number + 1 + reading.firstNew
    }
    return LatencySample(
      nanoseconds: abs(Int(recording.hostTime(ofFrame: firstNew)) - Int(command.start ?? called)),
      silentFrames: reading.silentFrames, complaint: reading.complaint)
  }

  private func firstChange(
    from start: Int, after last: SoundFrame, _ operation: LatencyOperation
  ) throws -> Int {
    let end = HostTime.now + 5_000_000_000
    var (position, last) = (start, last)
    while HostTime.now < end {
      _ = try recording.wait(beyond: position, milliseconds: 5_000)
      let frames = recording.frames(from: position)
      if let change = LatencyReading.firstChange(in: frames, after: last) {
        return position + change
      }
      position += frames.count
      last = frames.last ?? last
    }
    throw BenchError("5 s after it ‘\(operation.rawValue)’ is not heard")
  }

  private struct Command {
    let expectation: LatencyReading.Expectation
    /// The host time that it asks for; nil for at once.
    var start: UInt64?
    let give: () -> Void
  }

  /// Everything that a user has done before the command.
  private mutating func prepare(_ operation: LatencyOperation) throws -> Command {
    let (player, playlist) = (player, player.playlist)
    let sound = soundOfItem[current]!
    guard let index = playlist.index(of: current) else {
      throw BenchError("item \(current) has left the playlist")
    }
    switch operation {
    case .seek:
      // Far from the end: the item must not run out before the next command.
      let frame = Int.random(in: 0..<NumberedSounds.length / 2)
      let time = MediaTime(value: Int64(frame), timescale: Int32(HeadlessServer.format.sampleRate))
      return Command(expectation: .sound(sound, from: frame)) { player.seek(to: time) }
    case .next:
      current = playlist[index + 1].id
      return Command(expectation: .sound(soundOfItem[current]!, from: 0)) { player.next() }
    case .insertNext:
      let new = (sound + 1) % NumberedSounds.count + 1
      let item = PlaylistItem(path: sounds.path(new))
      soundOfItem[item.id] = new
      current = item.id
      return Command(expectation: .sound(new, from: 0)) {
        playlist.insert(item, at: index + 1)
        player.next()
      }
    case .removeCurrent:
      let next = playlist[index + 1].id
      current = next
      return Command(expectation: .sound(soundOfItem[next]!, from: 0)) {
        playlist.remove(at: index)
      }
    case .pause:
      return Command(expectation: .silence) { player.pause() }
    case .scheduledStart:
      let synchronizer = player.synchronizer
      let time = synchronizer.currentTime()
      // More than a sink's blocks, and not in step with them.
      let start = HostTime.now + .random(in: 300_000_000...320_000_000)
      return Command(expectation: .sound(sound, from: pausedAt), start: start) {
        synchronizer.setRate(
          1, time: time, atHostTime: HostClock.mediaTime(ofNanoseconds: start))
      }
    case .resume, .wake:
      return Command(expectation: .sound(sound, from: pausedAt)) { player.play() }
    }
  }
}
