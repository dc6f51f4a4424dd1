// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
@testable import PulseDevice
@testable import Rendering
import Testing

@Suite struct EditEffectTests {
  @Test func `differences applied to the snapshot give the list after every edit`() async {
    let playlist = Playlist()
    let items = (0..<60).map { PlaylistItem(path: "\($0)") }
    playlist.append(contentsOf: items[..<50])
    let changes = playlist.changes
    var mirror = Array(changes.snapshot)
    playlist.insert(items[50], at: 3)
    playlist.remove(10..<15)
    playlist.move(from: 2, to: 40)
    playlist.replace(at: 7, with: items[51])
    playlist.shuffle(seed: 5)
    playlist.append(contentsOf: items[52...])
    let last = playlist.unshuffle()
    for await difference in changes {
      for step in difference.steps {
        switch step {
        case .inserted(let range):
          mirror.insert(contentsOf: difference.items[range], at: range.lowerBound)
        case .removed(let range): mirror.removeSubrange(range)
        case .moved(let from, let to): mirror.insert(mirror.remove(at: from), at: to)
        case .reordered:
          #expect(Set(mirror) == Set(difference.items))
          mirror = Array(difference.items)
        }
      }
      #expect(mirror.elementsEqual(difference.items))
      if difference.serialNumber == last.serialNumber { break }
    }
    #expect(mirror.elementsEqual(playlist.items))
  }

  @Test func `unshuffling brings the order back, with what came since behind its neighbour`() {
    let playlist = Playlist()
    let items = (0..<100).map { PlaylistItem(path: "\($0)") }
    playlist.append(contentsOf: items)
    playlist.shuffle(seed: 1)
    let shuffled = Array(playlist.items)
    #expect(shuffled != items && Set(shuffled) == Set(items))
    let new = PlaylistItem(path: "new")
    playlist.insert(new, at: 1)
    playlist.unshuffle()
    let place = items.firstIndex(of: shuffled[0])!
    #expect(playlist.items.elementsEqual(items[...place] + [new] + items[(place + 1)...]))
  }

  @Test func `a seek that is overtaken says so, one that is heard too`() async throws {
    let playback = EditedPlayback()
    try playback.apply(.append([RampItem(number: 1, length: 9_000, kind: .told)]))
    try playback.apply(.play)
    try playback.pull(100)
    let player = playback.player
    let generation = player.playlist.queue.snapshot.generation
    async let overtaken = player.seekAndWait(to: EditedPlayback.time(3_000))
    while player.playlist.queue.snapshot.generation == generation { await Task.yield() }
    seekAtOnce(player, 4_000)
    #expect(await overtaken == false)
    async let heard = player.seekAndWait(to: EditedPlayback.time(5_000))
    while player.playlist.queue.snapshot.generation < generation + 3 { await Task.yield() }
    var frame: Float = 0
    while player.playlist.queue.isAwaited(generation + 3) {
      _ = playback.renderer.render(frames: 1, into: &frame)
      await Task.yield()
    }
    #expect(await heard)
  }

  private func seekAtOnce(_ player: SampleBufferPlayer, _ frame: Int) {
    player.seek(to: EditedPlayback.time(frame))
  }
}
