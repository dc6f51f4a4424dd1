// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Dispatch
import TestSeeds
import Testing

/// Random lists, overlaps, seeks, skips and edits against a simulation.
@Suite struct CrossfadePropertyTests {
  private struct Run {
    var random: SplitMix64
    let playback: CrossfadePlayback
    var simulation: CrossfadeSimulation
    var log: [String] = []
    var lastNumber = 0

    /// Lists of items that are `shortest` overlaps long, or longer.
    init(seed: UInt64, shortest: Int) {
      random = SplitMix64(seed: seed)
      let wanted = Int.random(in: 2...12_000, using: &random)
      playback = CrossfadePlayback(crossfade: Int64(wanted), curve: .linear, fade: .standard)
      simulation = CrossfadeSimulation([], wanted: wanted)
      let items = (0..<Int.random(in: 2...6, using: &random)).map { _ in
        item(shortest: max(1, shortest * wanted))
      }
      simulation = CrossfadeSimulation(items, wanted: wanted)
      playback.player.playlist.append(contentsOf: items.map(Self.made))
      log.append("\(wanted) frames between \(items.map(\.length))")
    }

    static func made(_ item: CrossfadeSimulation.Item) -> PlaylistItem {
      CrossfadePlayback.item(item.number, length: item.length)
    }

    mutating func item(shortest: Int) -> CrossfadeSimulation.Item {
      lastNumber += 1
      return CrossfadeSimulation.Item(
        number: lastNumber % 13,
        length: Int.random(in: shortest...(shortest + 20_000), using: &random))
    }

    /// Pulls `count` frames, or all there are; compares them behind the fade of the last operation.
    mutating func pull(_ count: Int) {
      var wanted: [Double] = []
      while wanted.count < count, let value = simulation.pull() { wanted.append(value) }
      let heard = playback.offline.pull(wanted.count)
      let worst = furthest(heard.dropFirst(240), wanted.dropFirst(240))
      log.append("pull \(wanted.count)")
      #expect(worst.distance < 1e-6, "seed \(random.seed): \(worst), \(log)")
    }

    mutating func operate() {
      let player = playback.player
      playback.offline.settle()
      // A frame further it is the next one.
      if simulation.isAtJoint { pull(1) }
      guard !simulation.isOver else { return }
      let (items, current) = (simulation.items, simulation.current)
      switch Int.random(in: 0..<6, using: &random) {
      case 0:
        let place = Int.random(in: 0..<items[current].length, using: &random)
        log.append("seek to \(place)")
        simulation.start(current, at: place)
        playback.offline.splicing {
          player.seek(to: MediaTime(value: Int64(place), timescale: 48_000))
        }
      case 1 where current + 1 < items.count:
        log.append("next")
        simulation.start(current + 1)
        playback.offline.splicing { player.next() }
      case 2, 3:
        let new = item(shortest: 2 * simulation.wanted)
        let place = Int.random(in: 0...items.count, using: &random)
        log.append("insert \(new.length) at \(place)")
        var list = items
        list.insert(new, at: place)
        simulation.edit(list, current: place <= current ? current + 1 : current)
        player.playlist.insert(Self.made(new), at: place)
      case 4 where items.count > 1:
        let place = Int.random(in: 0..<items.count, using: &random)
        guard place != current else { return }
        log.append("remove \(place)")
        var list = items
        list.remove(at: place)
        simulation.edit(list, current: place < current ? current - 1 : current)
        player.playlist.remove(at: place)
      case 5 where items.count > 1:
        let source = Int.random(in: 0..<items.count, using: &random)
        let target = Int.random(in: 0..<items.count, using: &random)
        log.append("move \(source) to \(target)")
        var list = items
        list.insert(list.remove(at: source), at: target)
        let index = list.firstIndex(of: items[current]) ?? 0
        simulation.edit(list, current: index)
        player.playlist.move(from: source, to: target)
      default: return
      }
      // A step under way may have decided otherwise, which is followed when it is taken.
      let serializer = player.serializer
      wait {
        serializer.queue.sync {
          serializer.decoders.playing.collect()
          return !serializer.decoders.playing.isBusy
        }
      }
      playback.offline.settle()
    }
  }

  @Test(arguments: (0..<40).map { _ in UInt64.random(in: 0..<1_000_000) })
  func `any list sounds as the rules say`(seed: UInt64) {
    var run = Run(seed: seed, shortest: 0)
    run.playback.player.play()
    run.pull(.max)
    #expect(run.playback.offline.pullToEnd().isEmpty, "seed \(seed): \(run.log)")
  }

  // Of two seeds an item is removed exactly where it becomes the current one.
  @Test(arguments: [70_656, 689_501] + (0..<25).map { _ in UInt64.random(in: 0..<1_000_000) })
  func `any list sounds as the rules say while it is edited, skipped and sought in`(seed: UInt64) {
    var run = Run(seed: seed, shortest: 2)
    run.playback.player.play()
    for _ in 0..<8 where !run.simulation.isOver {
      run.pull(Int.random(in: 300...20_000, using: &run.random))
      guard !run.simulation.isOver else { break }
      run.operate()
    }
    run.pull(.max)
    #expect(run.playback.offline.pullToEnd().isEmpty, "seed \(seed): \(run.log)")
  }
}
