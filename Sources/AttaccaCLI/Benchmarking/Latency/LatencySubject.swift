// SPDX-License-Identifier: Apache-2.0

import Attacca
import PulseAudio

/// The player whose commands are measured, with a playlist of numbered sounds.
final class LatencySubject {
  /// A command, and the sound that is to be heard behind it.
  struct Action {
    let expectation: LatencyReading.Expectation
    /// The host time that it asks for; nil for at once.
    var start: UInt64?
    let give: () throws -> Void
  }

  /// Stands for the frame at which the last pause was heard, which is not known yet.
  static let pausedFrame = -1

  private let sounds: NumberedSounds
  private var player: SampleBufferPlayer?
  /// The item that should be heard.
  private var current: PlaylistItem.ID?
  private var soundOfItem: [PlaylistItem.ID: Int] = [:]
  /// The factor on all samples.
  private(set) var gain: Float = 1

  init(sounds: NumberedSounds) { self.sounds = sounds }

  /// Rewrites so far that reached the server too late to be heard in full.
  var lateCount: Int { player?.renderer.lateSpliceCount ?? 0 }

  /// Underruns so far.
  var underrunCount: Int { player?.renderer.underrunCount ?? 0 }

  /// Everything that a user has done before the command.
  func prepare(
    _ operation: LatencyOperation, device: String, server: String, fade: Fade, latency: Latency
  ) throws -> Action {
    if operation == .start {
      let item = makeItem(sound: 1)
      current = item.id
      return Action(expectation: .sound(1, from: 0)) { [self] in
        let player = SampleBufferPlayer(
          renderer: try PulseAudioRenderer(
            device: device, server: server, latency: latency, applicationName: "attacca bench"),
          fade: fade)
        player.playlist.append(item)
        player.play()
        self.player = player
      }
    }
    guard let player, let current, let sound = soundOfItem[current],
      let index = player.playlist.index(of: current)
    else { throw BenchError("no item is current before ‘\(operation.rawValue)’") }
    let playlist = player.playlist
    // Whatever is next is another sound.
    if playlist.count == index + 1 { playlist.append(makeItem(sound: sound % 4 + 1)) }
    let next = playlist[index + 1].id
    switch operation {
    case .start: preconditionFailure("a start is prepared above")
    case .seek:
      let frame = Int.random(in: 0..<NumberedSounds.length / 4)
      let time = MediaTime(value: Int64(frame), timescale: Int32(HeadlessServer.format.sampleRate))
      return Action(expectation: .sound(sound, from: frame)) { player.seek(to: time) }
    case .next:
      self.current = next
      return Action(expectation: .sound(soundOfItem[next]!, from: 0)) { player.next() }
    case .insert:
      let item = makeItem(sound: (sound + 1) % NumberedSounds.count + 1)
      self.current = item.id
      return Action(expectation: .sound(soundOfItem[item.id]!, from: 0)) {
        playlist.insert(item, at: index + 1)
        player.next()
      }
    case .remove:
      self.current = next
      return Action(expectation: .sound(soundOfItem[next]!, from: 0)) {
        playlist.remove(at: index)
      }
    case .volume:
      gain = gain == 1 ? 0.5 : 1
      return Action(expectation: .same) { [gain] in player.renderer.volume = gain }
    case .pause:
      return Action(expectation: .silence) { player.pause() }
    case .resume:
      return Action(expectation: .sound(sound, from: Self.pausedFrame)) { player.play() }
    case .scheduledStart:
      let synchronizer = player.synchronizer
      let time = synchronizer.currentTime()
      // Where a server's reports are as coarse as PipeWire's, time may be shown that was not heard before a pause.
      let offset = player.currentTime.convertScale(
        Int32(HeadlessServer.format.sampleRate), method: .roundHalfAwayFromZero)
      // More than a sink's blocks, and not in step with them.
      let start = HostTime.now() + .random(in: 300_000_000...320_000_000)
      return Action(expectation: .sound(sound, from: Int(offset.value)), start: start) {
        synchronizer.setRate(
          1, time: time, atHostTime: HostClock.mediaTime(ofNanoseconds: start))
      }
    }
  }

  private func makeItem(sound: Int) -> PlaylistItem {
    let item = PlaylistItem(path: sounds.path(sound))
    soundOfItem[item.id] = sound
    return item
  }
}
