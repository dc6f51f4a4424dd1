// SPDX-License-Identifier: Apache-2.0

import Attacca
@testable import Rendering
import TestSeeds

/// A random sequence of operations, which a seed makes again.
struct EditSequence {
  private(set) var operations: [EditOperation] = []
  private var random: SplitMix64
  private var made = 0

  init(seed: UInt64, count: Int) {
    random = SplitMix64(seed: seed)
    operations.append(.append(items(.random(in: 0...6, using: &random))))
    operations.append(.play)
    while operations.count < count { operations.append(next()) }
  }

  private mutating func number(_ range: ClosedRange<Int>) -> Int {
    .random(in: range, using: &random)
  }

  private mutating func item() -> RampItem {
    made += 1
    let length =
      switch number(0...9) {
      case 0: 0
      case 1: number(1...40)
      case 2...4: number(100...2_000)
      case 5...7: number(2_000...8_000)
      default: number(8_000...RampSource.longest - 1)
      }
    let kinds: [RampItem.Kind] = [.told, .told, .told, .told, .untold, .untold, .broken]
    return RampItem(number: made, length: length, kind: kinds[number(0...6)])
  }

  private mutating func items(_ count: Int) -> [RampItem] { (0..<count).map { _ in item() } }

  private mutating func next() -> EditOperation {
    switch number(0...99) {
    case 0...29: .pull(number(0...3) == 0 ? number(2_000...9_000) : number(1...1_500))
    case 30...34: .append(items(number(0...9) == 0 ? 40 : number(1...3)))
    case 35...38: .insert(items(number(0...9) == 0 ? 40 : number(1...2)), at: number(0...50))
    case 39...42: .insertAfter(number(0...50), item())
    case 43...45: .remove(at: number(0...50))
    case 46...48: .removeIdentity(of: number(0...50))
    case 49...50: .removeRange(number(0...50), count: number(0...9) == 0 ? 40 : number(0...3))
    case 51...55: .move(number(0...50), number(0...50))
    case 56: .replace(number(0...50), item())
    case 57: .single(choice())
    case 58: .several((0..<(number(0...9) == 0 ? 40 : number(0...5))).map { _ in choice() })
    case 59: .replaceAll(items(number(0...5)), keepsCurrent: number(0...1) == 0)
    case 60: number(0...2) == 0 ? .clear : .append(items(2))
    case 61...62: .shuffle(UInt64(number(0...1_000)))
    case 63: .unshuffle
    case 64: .several((0..<number(2...4)).map { _ in choice() })
    case 65...67: .repeats(RepeatMode.allCases[number(0...2)])
    case 68...70: .jump(number(0...50), offset: number(0...1) == 0 ? 0 : number(0...9_000))
    case 71...74: .next
    case 75...77: .previous
    case 78...81: .seek(number(0...12_000))
    case 82...84: .seekBy(number(-3_000...3_000))
    case 85...86: loop()
    case 87: .endLoop
    case 88...89: .stopAfterCurrent(number(0...3) > 0)
    case 90...93: .play
    case 94...95: .pause
    case 96: .toggle
    case 97: number(0...1) == 0 ? .stop : .play
    default: .flush(after: number(0...2) == 0 ? nil : number(0...4_000))
    }
  }

  private mutating func choice() -> EditChoice {
    switch number(0...9) {
    case 0...3: .insert(items(number(0...2)), place: number(0...200))
    case 4...5: .remove(number(0...50))
    case 6...7: .move(number(0...50), place: number(0...200))
    default: .replace(number(0...50), item())
    }
  }

  private mutating func loop() -> EditOperation {
    let from = number(0...6_000)
    return .loop(from, from + (number(0...4) == 0 ? number(40...80) : number(100...4_000)))
  }

  /// Plays `operations`; what differed, if anything.
  static func run(
    _ operations: [EditOperation], timeout: Double = 3
  ) -> EditedPlayback.Difference? {
    let playback = EditedPlayback(timeout: timeout)
    for (i, operation) in operations.enumerated() {
      do {
        try playback.apply(operation)
      } catch {
        return EditedPlayback.Difference("operation \(i), \(operation): \(error)")
      }
    }
    return nil
  }

  /// As few of `operations` as still differ, found by dropping ever smaller pieces.
  static func shrunk(_ operations: [EditOperation]) -> [EditOperation] {
    var shrunk = operations
    var piece = max(1, operations.count / 2)
    while true {
      var at = 0
      while at < shrunk.count {
        var fewer = shrunk
        fewer.removeSubrange(at..<min(at + piece, fewer.count))
        if run(fewer, timeout: 0.3) != nil { shrunk = fewer } else { at += piece }
      }
      if piece == 1 { return shrunk }
      piece = max(1, piece / 2)
    }
  }
}
