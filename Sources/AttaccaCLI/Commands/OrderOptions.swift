// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Attacca

/// Options for the order of the items.
struct OrderOptions: ParsableArguments {
  @Option(
    name: .customLong("repeat"),
    help: ArgumentHelp(
      "Play one item, or all, over and over (default: off).", valueName: "off|one|all"))
  var repeats: RepeatChoice?

  @Option(
    help: ArgumentHelp(
      """
      Play in an order that the number decides, the same for the same number; without one, in \
      another order each time.
      """, valueName: "seed"))
  var shuffle: ShuffleChoice?

  /// True where the items are played once, as they are given.
  var isPlain: Bool { repeats ?? .off == .off && shuffle == nil }

  /// Has `player` play in the order that is asked for; of what is not asked for the player's own stays.
  func apply(to player: SampleBufferPlayer) {
    if let shuffle { player.playlist.shuffle(seed: shuffle.seed) }
    if let repeats { player.setRepeatMode(repeats.mode) }
  }

  init() {}
}
