// SPDX-License-Identifier: Apache-2.0

import Attacca
import Foundation
import TestFixtures
import TestSeeds
import Testing

/// One of the fixtures whose length is known.
struct CountedFixture: Sendable, CustomTestStringConvertible {
  let path: String
  let rate: Int
  let frames: Int64
  var testDescription: String { path }
  /// `mp3-vbr-no-header.mp3` takes a minute; the others at most two seconds each.
  var isLong: Bool { frames >= 100_000 }

  /// All of `fixtures/formats` with a count, by the table that was made with them.
  static let all: [CountedFixture] = {
    guard
      let text = try? String(contentsOfFile: Fixtures.path("manifest.tsv"), encoding: .utf8)
    else { return [] }
    return text.split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "\t").map(String.init)
      guard cells[0].hasPrefix("formats/"), let rate = Int(cells[1]), let frames = Int64(cells[3])
      else { return nil }
      return CountedFixture(path: Fixtures.path(cells[0]), rate: rate, frames: frames)
    }
  }()
}

@Suite struct ExactLengthTests {
  /// Renders `items` and compares the frame count with the exact sum of their lengths.
  private func expectExact(_ items: [CountedFixture], at rate: Int) {
    let playback = OfflinePlayback(
      items.map(\.path), format: AudioFormat(sampleRate: rate, layout: .stereo))
    playback.player.play()
    var frames: Int64 = 0
    playback.renderer.renderToEnd { frames += Int64($0.count / 2) }
    let sum = items.reduce(RationalTime.zero) {
      $0 + RationalTime(frames: $1.frames, rate: $1.rate)
    }
    #expect(frames == sum.frames(at: rate))
  }

  @Test(arguments: CountedFixture.all)
  func `many items of one format end on the frame of the exact sum`(item: CountedFixture) {
    expectExact(Array(repeating: item, count: item.isLong ? 10 : 30), at: 48_000)
  }

  @Test(arguments: [44_100, 48_000])
  func `a hundred items of all formats end on the frame of the exact sum`(rate: Int) {
    #expect(CountedFixture.all.count > 35)
    var generator = SplitMix64(seed: 20_26)
    let long = CountedFixture.all.filter(\.isLong)
    let short = CountedFixture.all.filter { !$0.isLong }
    let some = (long.count..<100).map { _ in short.randomElement(using: &generator)! }
    expectExact((some + long).shuffled(using: &generator), at: rate)
  }
}
