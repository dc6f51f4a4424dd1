// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Foundation
@testable import Rendering
import Testing

/// Edits, skips and seeks while two items overlap: from frame 76,000 to 100,000, the item change at 88,000.
@Suite struct CrossfadeEditTests {
  private static let (length, overlap) = (100_000, 24_000)
  private static let places = [77_000, 87_500, 88_500, 99_000]
  private let playback = CrossfadePlayback(
    crossfade: Int64(CrossfadeEditTests.overlap), lengths: [100_000, 100_000, 100_000],
    fade: .standard)
  private var player: SampleBufferPlayer { playback.player }

  /// Plays up to `frame`, then does `edit`; what is heard from there to the end.
  private func heard(
    from frame: Int, checking count: Int = .max, after edit: (SampleBufferPlayer) throws -> Void,
    sourceLocation: SourceLocation = #_sourceLocation
  ) rethrows -> [Float] {
    player.play()
    let before = playback.offline.pull(frame)
    playback.offline.settle()
    try edit(player)
    playback.offline.settle()
    let after = playback.offline.pullToEnd()
    // What is loudest falls to nothing in 240 frames; a click is another step.
    let all = before.suffix(10) + after.prefix(count)
    let steps = zip(all, all.dropFirst()).map { abs($1 - $0) }
    let largest = steps.enumerated().max { $0.element < $1.element }
    #expect((largest?.element ?? 0) < 0.0016, "\(largest!)", sourceLocation: sourceLocation)
    return after
  }

  /// Asserts that `heard` is `wanted` behind the fade of the edit.
  private func expect(
    _ heard: [Float], is wanted: some Collection<Double>, _ what: String = "",
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(heard.count == wanted.count, "\(what)", sourceLocation: sourceLocation)
    let worst = furthest(heard.dropFirst(240), wanted.dropFirst(240))
    #expect(worst.distance < 1e-6, "\(what), \(worst)", sourceLocation: sourceLocation)
  }

  private func model(
    _ items: [CrossfadeModel.Item], wanted: Int = CrossfadeEditTests.overlap
  ) -> [Double] {
    CrossfadeModel(items: items, wanted: wanted).samples
  }

  private func item(_ number: Int, from first: Int = 0) -> CrossfadeModel.Item {
    CrossfadeModel.Item(length: Self.length - first) {
      CrossfadePlayback.sample(number, first + $0)
    }
  }

  private var unchanged: [Double] { model([item(0), item(1), item(2)]) }

  @Test(arguments: places)
  func `next goes to the beginning of the item behind the current one`(frame: Int) {
    let heard = heard(from: frame) { $0.next() }
    expect(heard, is: frame < 88_000 ? model([item(1), item(2)]) : model([item(2)]))
  }

  @Test(arguments: places)
  func `a seek goes to its place without the other item`(frame: Int) {
    let heard = heard(from: frame) { $0.seek(to: MediaTime(value: 10_000, timescale: 48_000)) }
    expect(
      heard,
      is: frame < 88_000
        ? model([item(0, from: 10_000), item(1), item(2)])
        : model([item(1, from: 10_000), item(2)]))
  }

  @Test func `a seek to the end of an item overlaps by what is left`() {
    let heard = heard(from: 50_000) { $0.seek(to: MediaTime(value: 95_000, timescale: 48_000)) }
    expect(heard, is: model([item(0, from: 95_000), item(1), item(2)]))
  }

  @Test(arguments: [77_000, 87_500])
  func `what enters is removed, and what follows it overlaps by what is left`(frame: Int) {
    let heard = heard(from: frame) { $0.playlist.remove(at: 1) }
    expect(heard, is: model([item(0, from: frame), item(2)]))
  }

  @Test(arguments: [77_000, 87_500])
  func `another item is put before what enters`(frame: Int) {
    let heard = heard(from: frame) {
      $0.playlist.insert(CrossfadePlayback.item(5, length: Self.length), at: 1)
    }
    expect(heard, is: model([item(0, from: frame), item(5), item(1), item(2)]))
  }

  @Test(arguments: [77_000, 87_500])
  func `another item is moved before what enters`(frame: Int) {
    let heard = heard(from: frame) { $0.playlist.move(from: 2, to: 1) }
    expect(heard, is: model([item(0, from: frame), item(2), item(1)]))
  }

  @Test(arguments: [77_000, 87_500])
  func `what leaves is removed while it is current, and the next one begins`(frame: Int) {
    let heard = heard(from: frame) { $0.playlist.remove(at: 0) }
    expect(heard, is: model([item(1), item(2)]))
  }

  @Test(arguments: [88_500, 99_000])
  func `what leaves is removed behind the item change, and nothing differs`(frame: Int) {
    let heard = heard(from: frame) { $0.playlist.remove(at: 0) }
    expect(heard, is: unchanged[frame...])
  }

  @Test(arguments: places)
  func `an item behind all is added, and nothing before it differs`(frame: Int) {
    let heard = heard(from: frame) {
      $0.playlist.append(CrossfadePlayback.item(3, length: Self.length))
    }
    expect(heard, is: model([item(0), item(1), item(2), item(3)])[frame...])
  }

  @Test func `an item behind the last one overlaps by what is left of that`() {
    // The last one is heard from 152,000 to 252,000.
    let heard = heard(from: 240_000) {
      $0.playlist.append(CrossfadePlayback.item(3, length: Self.length))
    }
    expect(heard, is: model([item(2, from: 88_000), item(3)]))
  }

  @Test(arguments: places)
  func `a flush in the overlap changes nothing of what follows`(frame: Int) {
    // What was heard fades out, and what was discarded begins behind that.
    let heard = heard(from: frame, checking: 240) { $0.renderer.flush() }
    expect(Array(heard.dropFirst(240)), is: unchanged[frame...])
  }

  @Test(arguments: places)
  func `a pause in the overlap goes on where it stopped`(frame: Int) {
    let heard = heard(from: frame, checking: 0) { player in
      player.pause()
      playback.offline.settle()
      let fade = playback.offline.pull(240)
      #expect(zip(fade, fade.dropFirst()).allSatisfy { $0 >= $1 && $0 - $1 < 0.0016 })
      #expect(fade.last! < 0.0016)
      player.play()
    }
    #expect(heard[0] < 0.0016)
    expect(heard, is: unchanged[frame...])
  }

  @Test(arguments: places)
  func `another speed in the overlap goes on from where it is`(frame: Int) {
    player.renderer.audioTimePitchAlgorithm = .varispeed
    let heard = heard(from: frame, checking: 30_000) { $0.rate = 2 }
    let all = unchanged
    let wanted = stride(from: frame, to: all.count, by: 2).map { all[$0] }
    #expect(heard.count == wanted.count)
    // The last frames have silence in the filter's reach.
    let worst = furthest(heard[1_000..<(heard.count - 1_000)], wanted[1_000...])
    #expect(worst.distance < 1e-5, "\(worst)")
  }

  @Test(arguments: places)
  func `the volume changes within the overlap`(frame: Int) {
    let heard = heard(from: frame) { $0.renderer.volume = 0.5 }
    expect(heard, is: unchanged[frame...].map { $0 / 2 })
  }

  @Test(arguments: places)
  func `the gain of what enters changes within the overlap`(frame: Int) throws {
    let heard = try heard(from: frame) {
      try $0.playlist.setGain(-20, of: $0.playlist[1].id)
    }
    let quiet = CrossfadeModel.Item(length: Self.length) { CrossfadePlayback.sample(1, $0) / 10 }
    expect(heard, is: model([item(0), quiet, item(2)])[frame...])
  }

  @Test(arguments: places)
  func `the gain of what leaves changes within the overlap`(frame: Int) throws {
    let heard = try heard(from: frame) {
      try $0.playlist.setGain(-20, of: $0.playlist[0].id)
    }
    let quiet = CrossfadeModel.Item(length: Self.length) { CrossfadePlayback.sample(0, $0) / 10 }
    expect(heard, is: model([quiet, item(1), item(2)])[frame...])
  }

  @Test(arguments: [87_500, 88_500])
  func `one playing's own gain lasts to the end of its overlap`(frame: Int) {
    player.play()
    _ = playback.offline.pull(50_000)
    player.setCurrentGain(-20)
    playback.offline.settle()
    _ = playback.offline.pull(frame - 50_000)
    if frame > 88_000 { playback.offline.waitForCurrent("item 1") }
    playback.offline.settle()
    player.renderer.flush()
    playback.offline.settle()
    let quiet = CrossfadeModel.Item(length: Self.length) { CrossfadePlayback.sample(0, $0) / 10 }
    let heard = playback.offline.pullToEnd()
    expect(Array(heard.dropFirst(240)), is: model([quiet, item(1), item(2)])[frame...])
  }

  @Test func `the crossfade is switched off within the overlap, and what leaves goes on alone`() {
    // The items follow each other with a step then.
    let heard = heard(from: 80_000, checking: 1_000) { $0.crossfade = nil }
    expect(heard, is: model([item(0, from: 80_000), item(1), item(2)], wanted: 0))
  }

  @Test func `the crossfade is switched on at an item's end, and overlaps by what is left`() {
    player.crossfade = nil
    let heard = heard(from: 90_000) {
      $0.crossfade = ItemCrossfade(duration: MediaTime(value: 1, timescale: 2))
    }
    expect(heard, is: model([item(0, from: 90_000), item(1), item(2)]))
  }

  @Test(arguments: [50_000] + places + [110_000])
  func `a turn in the overlap goes back over the same frames, and forth again`(frame: Int) {
    player.renderer.audioTimePitchAlgorithm = .varispeed
    let back = heard(from: frame) { $0.rate = -1 }
    let both = [0, 1].map { number in
      CrossfadeModel.Item(length: Self.length) {
        CrossfadePlayback.sample(number, Self.length - 1 - $0)
      }
    }
    expect(back, is: model([both[1], both[0]]).dropFirst(176_000 - frame))
    // What is pulled meanwhile is not in what is looked at for clicks.
    let again = heard(from: frame, checking: 0) { player in
      player.rate = -1
      playback.offline.settle()
      _ = playback.offline.pull(8_000)
      player.rate = 1
    }
    expect(again, is: unchanged[(frame - 8_000)...])
  }
}
