// SPDX-License-Identifier: Apache-2.0

import Attacca
@testable import PulseDevice
import TestSeeds

/// Makes one thread's random operations.
///
/// What is current must not depend on how far the puller is, which no serial number tells. So no
/// place lies past frame 1,000, fewer than 1,500 frames are pulled, loops end behind that, every
/// item is longer, and all are shorter than the 3 seconds after which `previous` stays.
struct SharedEditMaker {
  /// So many items are in the list from the beginning, and in lists with indices to the end.
  static let least = 12

  private var random: SplitMix64
  private var made: Int
  /// Items that this thread has put in and not taken out: more it may not take out where others rely
  /// on `least`.
  private var balance = 0
  private let hasIndices: Bool

  /// For thread 0..<4; thread -1 makes the first list.
  init(seed: UInt64, thread: Int) {
    random = SplitMix64(seed: seed << 3 + UInt64(thread + 1))
    made = thread < 0 ? 0 : 20 + 250 * thread
    hasIndices = seed % 2 == 0
  }

  private mutating func number(_ range: ClosedRange<Int>) -> Int {
    .random(in: range, using: &random)
  }

  mutating func items(_ count: Int) -> [PlaylistItem] {
    balance += count
    return (0..<count).map { _ in
      made += 1
      let isTold = number(0...2) > 0
      return PlaylistItem(path: "ramp \(made) \(number(3_000...4_000))\(isTold ? "" : " unknown")")
    }
  }

  private mutating func index() -> Int { number(0...(Self.least - 1)) }

  /// The next one, where the list was `items` a moment ago.
  mutating func next(_ items: PlaylistItems) -> SharedEdit {
    let item = items.isEmpty ? nil : items[number(0...(items.count - 1))]
    switch number(0...99) {
    case 0...7: return .append(self.items(number(1...2)))
    case 8...13: return .insert(self.items(number(1...2)), at: hasIndices ? index() : 0)
    case 14...20: if let item { return .insertAfter(item, self.items(1)[0]) }
    case 21...34:
      if let item, !hasIndices || balance > 0 {
        balance -= 1
        return .remove(item)
      }
    case 35...42: return hasIndices ? indexed() : .replaceAll(other(items))
    case 43...44: return several(items)
    case 45...46: return .shuffle(UInt64(number(0...1_000)))
    case 47...49: return .unshuffle
    case 50: return several(items)
    case 51...52: return .repeats(RepeatMode.allCases[number(0...2)])
    case 53...60: if let item { return .go(item, offset: number(0...1_000)) }
    case 61...66: return .next
    case 67...71: return .previous
    case 72...75: return .seek(number(0...1_000))
    case 76...78: return .seekBy(number(-1_000...0))
    case 79...81: return .loop(number(0...1_000), number(2_600...3_500))
    case 82: return .endLoop
    case 83...85: return .stopAfterCurrent(number(0...1) == 0)
    case 86...92: return .play
    case 93...94: return .pause
    case 95...96: return .toggle
    case 97: return .stop
    default: break
    }
    return .play
  }

  /// Two items put in and, where there is one, one moved and one replaced, as one edit.
  private mutating func several(_ items: PlaylistItems) -> SharedEdit {
    let new = self.items(2)
    var known = Dictionary(uniqueKeysWithValues: new.map { (RampItem($0), $0) })
    var changes: [ItemChange] = [.insert([RampItem(new[0])], number(0...1) == 0 ? .first : .last)]
    if !items.isEmpty {
      let (moved, old) = (
        items[number(0...(items.count - 1))], items[number(0...(items.count - 1))]
      )
      for item in [moved, old] { known[RampItem(item)] = item }
      changes.append(.move(RampItem(moved), .after(RampItem(new[0]))))
      changes.append(.replace(RampItem(old), RampItem(new[1])))
      balance -= 1
    }
    var edits = PlaylistEdits()
    for change in changes { change.note(in: &edits) { known[$0]! } }
    return .several(edits, changes)
  }

  private mutating func indexed() -> SharedEdit {
    switch number(0...3) {
    case 0: return .move(index(), index())
    case 1:
      let new = items(1)[0]
      balance -= 1
      return .replace(index(), new)
    case 2 where balance > 1:
      balance -= 2
      let index = number(0...(Self.least - 2))
      return .removeRange(index..<(index + 2))
    default: return .jump(index(), offset: number(0...1_000))
    }
  }

  /// A list of some items that are new and some that are not, or of none.
  private mutating func other(_ items: PlaylistItems) -> [PlaylistItem] {
    guard number(0...3) > 0 else { return [] }
    return self.items(number(1...4)) + items.prefix(number(0...6))
  }
}
