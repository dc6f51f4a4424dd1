// SPDX-License-Identifier: Apache-2.0

import Attacca
import Foundation
import TestSeeds

/// Files whose frames name themselves, long and short ones, and some that cannot be played.
final class ChaosSounds: Sendable {
  let items: NamedItems
  private let paths: [String]
  /// A file of 14 s that another client plays.
  let file: String
  // It keeps the files.
  private let sound: TestSound

  init() throws {
    let sound = try TestSound()
    // Items of few frames, too: many joints are prepared at once.
    let lengths = [
      11: 48_000, 13: 400_000, 17: 5_000, 19: 200_001, 23: 700_000, 29: 96_000, 31: 333_333,
      37: 480,
    ]
    var paths = try lengths.map { try sound.numbered($0.key, frames: $0.value) }.sorted()
    file = sound.path("23.wav")
    try Data("no sound at all".utf8).write(to: URL(fileURLWithPath: sound.path("noise.wav")))
    paths += [sound.path("noise.wav"), sound.path("missing.flac")]
    (self.sound, self.paths) = (sound, paths)
    items = NamedItems(
      lengths: lengths.merging([ChaosRenderers.item: ChaosRenderers.length]) { $1 })
  }

  /// A new item of one of them; what cannot be played is rare.
  func item(_ random: inout SplitMix64) -> PlaylistItem {
    let playable = paths.count - 2
    let isPlayable = Int.random(in: 0..<20, using: &random) > 0
    let range = isPlayable ? 0..<playable : playable..<paths.count
    let index = Int.random(in: range, using: &random)
    return PlaylistItem(path: paths[index])
  }
}
