// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Foundation
import TestSeeds
import Testing

/// A player that is turned, sought, paused and edited at random, against frames counted by hand.
@Suite struct ReverseModelTests {
  /// More when `ATTACCA_SOAK` says how many times as much.
  private static let soak =
    ProcessInfo.processInfo.environment["ATTACCA_SOAK"].flatMap(Int.init) ?? 1

  /// Where playing is: between two frames of an item, going one way or the other.
  private struct Model {
    var items: [(number: Int, length: Int)]
    var index = 0
    var place = 0
    var isReversed = false

    /// The frame that is heard next; nil at the end.
    mutating func next() -> Float? {
      guard let item = settled() else { return nil }
      defer { place += isReversed ? -1 : 1 }
      return RampSource.sample(item.number, isReversed ? place - 1 : place)
    }

    /// Goes on to the item that has a frame to be heard.
    mutating func settled() -> (number: Int, length: Int)? {
      while isReversed ? place == 0 : place == items[index].length {
        guard items.indices.contains(index + (isReversed ? -1 : 1)) else { return nil }
        index += isReversed ? -1 : 1
        place = isReversed ? items[index].length : 0
      }
      return items[index]
    }
  }

  @Test func `every frame is the one before or behind the last one, whatever is done`() {
    let first = UInt64(Self.soak > 1 ? Int.random(in: 0..<1_000_000) : 1)
    for seed in first..<(first + UInt64(150 * Self.soak)) {
      guard let fault = run(seed: seed) else { continue }
      Issue.record("seed \(seed): \(fault)")
      return
    }
  }

  private func run(seed: UInt64) -> String? {
    var generator = SplitMix64(seed: seed)
    func random(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }
    var numbers = 0
    func item() -> (number: Int, length: Int) {
      numbers += 1
      return (numbers, [1, 40, 300, 900, 2_500, 6_000][random(0..<6)])
    }
    func path(_ item: (number: Int, length: Int)) -> String { "ramp \(item.number) \(item.length)" }
    var model = Model(items: (0..<random(1..<6)).map { _ in item() })
    let playback = ReversedPlayback(model.items.map(path))
    let player = playback.player
    let fade = Fade.standard.frames(at: RampSource.rate)
    player.play()
    playback.offline.settle()
    var done: [String] = []
    // Frames of a fade that are still to be heard.
    var skipped = 0
    for _ in 0..<40 {
      guard model.settled() != nil else { return nil }
      switch random(0..<8) {
      case 0, 1:
        model.isReversed.toggle()
        guard model.settled() != nil else { return nil }
        done.append("turn")
        playback.turn(to: model.isReversed ? -1 : 1)
        skipped = fade
      case 2:
        model.index = random(0..<model.items.count)
        model.place = random(0..<(model.items[model.index].length + 1))
        guard model.settled() != nil else { return nil }
        done.append("to \(model.place) of \(model.items[model.index])")
        playback.offline.splicing {
          player.jump(
            to: model.index, offset: MediaTime(value: Int64(model.place), timescale: 2_000))
        }
        skipped = fade
      case 3, 4:
        let (new, index) = (item(), random(0..<(model.items.count + 1)))
        done.append("insert \(new) at \(index)")
        player.playlist.insert(PlaylistItem(path: path(new)), at: index)
        model.items.insert(new, at: index)
        if index <= model.index { model.index += 1 }
        playback.offline.settle()
      case 5:
        let index = random(0..<model.items.count)
        guard index != model.index else { continue }
        done.append("remove \(index)")
        player.playlist.remove(at: index)
        model.items.remove(at: index)
        if index < model.index { model.index -= 1 }
        playback.offline.settle()
      case 6:
        done.append("pause")
        player.pause()
        playback.offline.settle()
        _ = playback.pull(fade)
        model.isReversed = random(0..<2) == 0
        guard model.settled() != nil else { return nil }
        done.append("turn")
        playback.turn(to: model.isReversed ? -1 : 1)
        skipped = fade
      default:
        done.append("flush")
        player.renderer.flush()
        playback.offline.settle()
        _ = playback.pull(fade)
        skipped = fade
      }
      let count = random(0..<2) == 0 ? random(1..<200) : random(1..<3_000)
      var wanted: [Float] = []
      while wanted.count < count, let frame = model.next() { wanted.append(frame) }
      let heard = playback.pull(wanted.count)
      done.append("hear \(wanted.count)")
      defer { skipped = max(0, skipped - heard.count) }
      if let wrong = heard.indices.dropFirst(skipped).first(where: { heard[$0] != wanted[$0] }) {
        return "frame \(wrong) is \(heard[wrong]), not \(wanted[wrong]), after \(done)"
      }
    }
    return nil
  }
}
