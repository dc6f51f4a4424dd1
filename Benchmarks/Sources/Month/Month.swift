// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Glibc
import Measures
import MediaTime

/// Plays a list of 10,000 items round and round for a simulated month, on the offline renderer:
/// items are put in, taken out, moved and skipped, some are missing or cut short; every frame names
/// itself.
///
/// Usage: Month [DAYS [SEED]]
@main
enum Month {
  static let rate = 8_000
  static let items = 10_000
  private struct IsOver: Error {}

  static func main() {
    let arguments = CommandLine.arguments.dropFirst().map { UInt64($0) }
    let days = Int64(arguments.first.flatMap(\.self) ?? 30)
    let seed = arguments.dropFirst().first.flatMap(\.self) ?? UInt64(getpid())
    print("\(days) days, seed \(seed)")
    do {
      let sounds = try NamedFrames()
      defer { sounds.remove() }
      try play(sounds, days: days, seed: seed)
    } catch {
      print("Month, seed \(seed): \(error)")
      exit(1)
    }
  }

  private static func play(_ sounds: NamedFrames, days: Int64, seed: UInt64) throws {
    let renderer = OfflineRenderer(format: AudioFormat(sampleRate: rate, layout: .mono))
    let player = SampleBufferPlayer(renderer: renderer, fade: .none)
    var random = ShuffleGenerator(seed: seed)
    player.playlist.append(
      contentsOf: (0..<items).map { _ in PlaylistItem(path: sounds.path(&random)) })
    player.setRepeatMode(.all)
    player.play()
    var check = FrameCheck(lengths: sounds.lengths)
    var editor = Editor(player: player, sounds: sounds, random: random)
    var footprints: [Footprint] = []
    let day = 86_400 * Int64(rate)
    let begin = Footprint.seconds()
    do {
      try renderer.renderToEnd(frames: 20 * rate) { piece in
        try check.hear(piece)
        editor.edit(&check)
        // What is loaded at first use is there after the first day.
        if check.frames >= day * Int64(footprints.count + 1) {
          let footprint = Footprint()
          footprints.append(footprint)
          let speed = Double(check.frames) / Double(rate) / (Footprint.seconds() - begin)
          print("day \(footprints.count): \(footprint), \(Int(speed)) times real time")
          fflush(nil)
          if footprints.count == days { throw IsOver() }
        }
      }
      throw Wrong("the list came to its end after \(check.frames) frames")
    } catch is IsOver {}
    let offset = player.currentTime
    let heard = MediaTime(value: check.inItem, timescale: Int32(rate))
    guard offset == heard else {
      throw Wrong("\(heard) of the item heard, the player says \(offset)")
    }
    print("\(check.frames) frames, none wrong; \(check.items) items; \(editor.done)")
    print(try Footprint.verdict(footprints))
  }
}
