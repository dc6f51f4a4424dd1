// SPDX-License-Identifier: Apache-2.0

import Attacca
import AttaccaBookmarks
import Glibc
import MediaTime
import Measures

/// A process that listens twice as fast as a clock, and is killed.
struct Listener {
  private let folder: KillFolder

  init(folder: String) throws { self.folder = try KillFolder(at: folder) }

  func run() throws {
    let renderer = OfflineRenderer(format: AudioFormat(sampleRate: Kills.rate, layout: .mono))
    let player = SampleBufferPlayer(renderer: renderer, fade: .none)
    player.playlist.append(PlaylistItem(path: folder.sound))
    let store = try folder.store()
    let bookmark = try store.bookmark(of: player.playlist[0])
    if let bookmark { player.resume(at: 0, from: bookmark, rewind: .none) }
    let keeper = BookmarkKeeper(player: player, store: store)
    player.play()
    var heard = bookmark.map { Int($0.position.value) } ?? 0
    var memory = [Float](repeating: 0, count: 80)
    while true {
      // Told before: what is remembered of it cannot be earlier.
      folder.heard = heard + memory.count
      heard += memory.withUnsafeMutableBufferPointer {
        renderer.render(frames: $0.count, into: $0.baseAddress!)
      }
      usleep(4_500)
      withExtendedLifetime(keeper) {}
    }
  }
}
