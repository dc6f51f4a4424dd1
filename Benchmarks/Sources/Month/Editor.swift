// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
@testable import PulseDevice

/// Edits a list while it plays, at random, but never what is heard.
struct Editor {
  let player: SampleBufferPlayer
  let sounds: NamedFrames
  var random: ShuffleGenerator
  private var counts = (inserted: 0, removed: 0, moved: 0, skipped: 0)

  init(player: SampleBufferPlayer, sounds: NamedFrames, random: ShuffleGenerator) {
    (self.player, self.sounds, self.random) = (player, sounds, random)
  }

  var done: String {
    "\(counts.inserted) inserted, \(counts.removed) removed, \(counts.moved) moved, "
      + "\(counts.skipped) skipped"
  }

  /// Every other time something; at most one skip is on its way.
  mutating func edit(_ check: inout FrameCheck) {
    let list = player.playlist
    let (count, place) = (list.count, random.next())
    let index = Int(place % UInt64(count))
    switch random.next() % 16 {
    case 0...3:
      // As long as at first: memory is compared from day to day.
      if count <= Month.items {
        list.insert(PlaylistItem(path: sounds.path(&random)), at: index)
        counts.inserted += 1
      } else {
        // What the player knows as current may have ended just now.
        guard let current = player.currentItemIndex, abs(index - current) > 4 else { return }
        list.remove(at: index)
        counts.removed += 1
      }
    case 4, 5:
      guard let current = player.currentItemIndex, abs(index - current) > 4 else { return }
      list.move(from: index, to: Int(random.next() % UInt64(count)))
      counts.moved += 1
    case 6 where check.cutsToCome == 0:
      player.next()
      check.cutsToCome += 1
      counts.skipped += 1
    default: break
    }
  }
}
