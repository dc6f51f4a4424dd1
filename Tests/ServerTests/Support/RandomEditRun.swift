// SPDX-License-Identifier: Apache-2.0

import Attacca
import TestSeeds
import TestServers

/// A playback that is edited at random, with the account of what has to be heard.
///
/// Each edit waits until what it asks for is heard: what comes next is then known.
struct RandomEditRun {
  private static let length = 10 * 48_000
  private static let fade = 240
  private static let sounds = 5

  private let sound: TestSound
  private let paths: [String]
  private let playback: ServerPlayback
  private var generator: SplitMix64
  private var numbers: [PlaylistItem.ID: Int] = [:]
  private var current: PlaylistItem.ID
  /// In the order in which it has to be heard.
  private(set) var expected: [ExpectedSound] = []
  /// The recorded frame up to which it has been looked for.
  private var position = 0

  init(_ generator: SplitMix64) throws {
    self.generator = generator
    sound = try TestSound()
    let sound = self.sound
    let paths = try (1...Self.sounds).map { try sound.numbered($0, frames: Self.length) }
    self.paths = paths
    playback = try ServerPlayback(TestedServer.shared)
    let items = (0..<10).map { PlaylistItem(path: paths[$0 % paths.count]) }
    for (i, item) in items.enumerated() { numbers[item.id] = i % paths.count + 1 }
    playback.player.playlist.append(contentsOf: items)
    current = items[0].id
    playback.player.play()
    try expect(current, from: 0, isSplice: false)
  }

  private var player: SampleBufferPlayer { playback.player }
  private var playlist: Playlist { playback.player.playlist }
  private var index: Int { playlist.index(of: current)! }

  /// Splices of which the renderer has said that they were late.
  var lateSpliceCount: Int { playback.renderer.lateSpliceCount }
  var underrunCount: Int { playback.renderer.underrunCount }

  /// What has been heard until now.
  func finish() -> NumberedRecording {
    let samples = playback.capture.recording
    player.stop()
    return NumberedRecording(samples: samples, length: Self.length, fade: Self.fade)
  }

  private mutating func newItem() -> PlaylistItem {
    let number = Int.random(in: 1...Self.sounds, using: &generator)
    let item = PlaylistItem(path: paths[number - 1])
    numbers[item.id] = number
    return item
  }

  /// One edit or seek, of each kind that there is.
  mutating func edit() throws {
    // There is always something to remove, and something that follows.
    while playlist.count - index < 4 { playlist.append(newItem()) }
    switch Int.random(in: 0..<12, using: &generator) {
    case 0...2:
      let frame = Int.random(in: 0..<Self.length / 2, using: &generator)
      player.seek(to: Self.time(frame))
      try expect(current, from: frame)
    case 3:
      let next = playlist[index + 1].id
      player.next()
      try expect(next, from: 0)
    case 4:
      let item = newItem()
      playlist.insert(item, at: index + 1)
      player.next()
      try expect(item.id, from: 0)
    case 5:
      let next = playlist[index + 1].id
      playlist.remove(at: index)
      try expect(next, from: 0)
    case 6:
      let target = playlist[Int.random(in: 0..<playlist.count, using: &generator)].id
      let frame = Int.random(in: 0..<Self.length / 2, using: &generator)
      try player.seek(to: target, offset: Self.time(frame))
      try expect(target, from: frame)
    case 7: try editShortlyBeforeTheEnd()
    default: editUnheard()
    }
  }

  private static func time(_ frame: Int) -> MediaTime {
    MediaTime(value: Int64(frame), timescale: 48_000)
  }

  /// Changes what follows while all of it is with the server.
  private mutating func editShortlyBeforeTheEnd() throws {
    // What comes too late for the joint is carried out all the same, and cuts the item's end or the next one: of
    // 200 ms beside three other runs one did.
    let lead = 19_200 + 4 * Int(TestedServer.cycle * 48)
    let frame = Self.length - Int.random(in: lead..<lead + 9_600, using: &generator)
    player.seek(to: Self.time(frame))
    try expect(current, from: frame)
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: playlist.insert(newItem(), at: index + 1)
    case 1: playlist.remove(at: index + 1)
    case 2: playlist.move(from: index + 2, to: index + 1)
    default: playlist.replace(at: index + 1, with: newItem())
    }
    try expect(playlist[index + 1].id, from: 0, isSplice: false)
    // The monitor gets a block before it is heard: the player is not there yet.
    let next = current
    try playback.wait("\(next) to be current") { playback.player.currentItem?.id == next }
    position = playback.capture.frameCount
  }

  /// Changes the list where nothing of it is heard soon.
  private mutating func editUnheard() {
    let count = playlist.count
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: playlist.append(newItem())
    case 1: playlist.insert(newItem(), at: Int.random(in: 0...index, using: &generator))
    case 2 where index > 0: playlist.remove(at: 0)
    default: playlist.move(from: count - 1, to: index + 1)
    }
  }

  /// Notes that `id` is heard from `frame` on, waits for it, and listens a little.
  private mutating func expect(
    _ id: PlaylistItem.ID, from frame: Int, isSplice: Bool = true
  ) throws {
    current = id
    let item = numbers[id]!
    expected.append(ExpectedSound(item: item, frame: frame, isSplice: isSplice))
    let first = isSplice ? frame + Self.fade : frame
    let before = try lastHeard()
    let start = position
    for _ in 0..<500 {
      position += 480
      if let heard = try lastHeard(), heard.item == item,
        (first..<first + 24_000).contains(heard.number),
        // What was heard before may be within that, and go on.
        before?.item != item || before!.number + position - start != heard.number
      {
        let pause = Int.random(in: 0..<2_400, using: &generator)
        _ = try playback.capture.frames(from: position, count: pause)
        position += pause
        return
      }
    }
    throw Unmet("\(expected.last!), the \(expected.count)th, within 5 s")
  }

  /// The item and frame before `position`, if they are to be recognised.
  private func lastHeard() throws -> (item: Int, number: Int)? {
    guard position >= 480,
      case .frames(let item, let frames)? = Heard.read(
        try playback.capture.frames(from: position - 480, count: 480)
      ).last
    else { return nil }
    return (item, frames.upperBound - 1)
  }
}
