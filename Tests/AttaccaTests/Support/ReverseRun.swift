// SPDX-License-Identifier: Apache-2.0

import Attacca
@testable import Rendering
import TestSeeds

/// A player that is turned, sought, paused and edited at random, a few times at once, and
/// `ReverseModel`, to which the same is done.
final class ReverseRun {
  private static let fade = Fade.standard.frames(at: RampSource.rate)

  private var generator: SplitMix64
  private var numbers = 0
  private var model = ReverseModel(items: [])
  private let playback = ReversedPlayback([])
  private var player: SampleBufferPlayer { playback.player }
  private var done: [String] = []
  /// Frames of a fade that are still to be heard.
  private var skipped = 0

  /// Up to so many operations are carried out without waiting for any.
  private let atOnce: Int

  init(seed: UInt64, atOnce: Int) {
    (generator, self.atOnce) = (SplitMix64(seed: seed), atOnce)
  }

  private func random(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }

  private func newItem() -> (ReverseModel.Item, PlaylistItem) {
    numbers += 1
    let item = (numbers, [2, 40, 300, 900, 2_500, 6_000][random(0..<6)])
    return (item, PlaylistItem(path: "ramp \(item.0) \(item.1)"))
  }

  /// Plays to the end, or until so many operations are done.
  ///
  /// - Returns: what was not as it should be.
  func fault(operations: Int) -> String? {
    for _ in 0..<random(1..<6) {
      let (item, new) = newItem()
      model.items.append(item)
      player.playlist.append(new)
    }
    player.play()
    playback.offline.settle()
    while done.count < operations {
      guard goOn() else { return nil }
      playback.offline.settle()
      if let fault = hear(random(0..<2) == 0 ? random(1..<200) : random(1..<3_000)) { return fault }
    }
    return nil
  }

  /// - Returns: false at the end.
  private func goOn() -> Bool {
    guard model.settled() != nil else { return false }
    if random(0..<5) == 0 { return stand() }
    for _ in 0..<random(1..<(atOnce + 1)) {
      guard operate() else { return false }
      let (index, place) = (model.index, model.place)
      guard model.settled() != nil else { return false }
      // At a joint it goes on first.
      if index != model.index || place != model.place { return true }
    }
    return true
  }

  /// At a joint it may be at either item, so that it goes a frame further.
  private func hear(_ count: Int) -> String? {
    var wanted: [Float] = []
    while wanted.count < count || model.isAtJoint, let frame = model.next() { wanted.append(frame) }
    let heard = playback.pull(wanted.count)
    done.append("hear \(wanted.count)")
    defer { skipped = max(0, skipped - heard.count) }
    let wrong = heard.indices.dropFirst(skipped).first { heard[$0] != wanted[$0] }
    return wrong.map { "frame \($0) is \(heard[$0]), not \(wanted[$0]), after \(done)" }
  }

  /// A pause, or a flush, and on one way or the other.
  private func stand() -> Bool {
    let isPause = random(0..<2) == 0
    // Of what nobody has heard nothing fades out.
    let isUnheard = !isPause && done.isEmpty
    done.append(isPause ? "pause" : "flush")
    if isPause { player.pause() } else { player.renderer.flush() }
    playback.offline.settle()
    if !isUnheard { _ = playback.pull(Self.fade) }
    guard isPause else {
      skipped = Self.fade
      return true
    }
    return turn(isReversed: random(0..<2) == 0) && model.settled() != nil
  }

  private func turn(isReversed: Bool) -> Bool {
    done.append(isReversed ? "back" : "forth")
    model.isReversed = isReversed
    player.rate = isReversed ? -1 : 1
    skipped = Self.fade
    return true
  }

  /// - Returns: false at the end.
  private func operate() -> Bool {
    switch random(0..<9) {
    case 0, 1: return turn(isReversed: !model.isReversed)
    case 2: seek()
    case 3, 4:
      let (item, new) = newItem()
      let index = random(0..<(model.items.count + 1))
      done.append("insert \(item) at \(index)")
      player.playlist.insert(new, at: index)
      model.items.insert(item, at: index)
      if index <= model.index { model.index += 1 }
    case 5: return remove(random(0..<model.items.count))
    case 6:
      let mode = [RepeatMode.off, .one, .all][random(0..<3)]
      done.append("repeat \(mode)")
      player.setRepeatMode(mode)
      model.repeatMode = mode
    case 7: loop()
    default:
      done.append("end of loop")
      player.endLoop()
      model.loop = nil
    }
    return true
  }

  /// A place behind a loop would be left at once: the loop ends with it.
  private func seek() {
    let index = random(0..<model.items.count)
    guard model.items[index].length > 1 else { return }
    player.endLoop()
    model.loop = nil
    model.index = index
    model.place = random(1..<model.items[index].length)
    done.append("to \(model.place) of \(model.items[model.index])")
    player.jump(to: model.index, offset: time(model.place))
    skipped = Self.fade
  }

  private func remove(_ index: Int) -> Bool {
    done.append("remove \(index)")
    player.playlist.remove(at: index)
    if index == model.index {
      skipped = Self.fade
      return model.removeCurrent()
    }
    if model.items[index].number == model.loop?.number { model.loop = nil }
    model.items.remove(at: index)
    if index < model.index { model.index -= 1 }
    return true
  }

  /// Around the playhead, which is not touched by it.
  private func loop() {
    let (number, length) = model.items[model.index]
    guard model.place > 0, model.place < length else { return }
    let (from, to) = (random(0..<model.place), random((model.place + 1)..<(length + 1)))
    // A millisecond is two frames.
    guard to - from > 2 else { return }
    done.append("loop \(from)..<\(to)")
    player.setLoop(from: time(from), to: time(to))
    model.loop = (number, from, to)
  }

  private func time(_ frame: Int) -> MediaTime {
    MediaTime(value: Int64(frame), timescale: Int32(RampSource.rate))
  }
}
