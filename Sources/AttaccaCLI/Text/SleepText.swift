// SPDX-License-Identifier: Apache-2.0

import Attacca

/// Sleep timers as people write them.
enum SleepText {
  /// Reads "30m", "item", "chapter" or "3items"; nil for anything else.
  static func end(_ text: String) -> SleepTimer.End? {
    switch text {
    case "item": return .item
    case "chapter": return .chapter
    default:
      if text.hasSuffix("items"), let count = number(text.dropLast(5)) { return .items(count) }
      return time(text).map { .after($0) }
    }
  }

  /// Reads "45s", "30m" or "1h", whole numbers up to a million; nil for anything else.
  static func time(_ text: String) -> MediaTime? {
    let seconds: [Character: Int] = ["s": 1, "m": 60, "h": 3_600]
    guard let unit = text.last.flatMap({ seconds[$0] }), let count = number(text.dropLast())
    else { return nil }
    return MediaTime(value: Int64(count * unit), timescale: 1)
  }

  private static func number(_ text: Substring) -> Int? {
    guard text.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(text),
      1...1_000_000 ~= number
    else { return nil }
    return number
  }

  /// The timer for the status line, "sleep 29:10", "sleep behind the chapter"; `left` is the time until it ends, if it
  /// ends at a moment.
  static func status(_ timer: SleepTimer, left: MediaTime?) -> String {
    switch timer.end {
    case .after(let time):
      "sleep \(ClockText.short(seconds: Int((left ?? time).seconds.rounded(.up))))"
    case .chapter: "sleep behind the chapter"
    case .items(1): "sleep behind the item"
    case .items(let count): "sleep behind \(count) items"
    }
  }

  /// The end that the key for the sleep timer goes on to; nil for none.
  static func next(after end: SleepTimer.End?) -> SleepTimer.End? {
    func minutes(_ count: Int64) -> SleepTimer.End {
      .after(MediaTime(value: 60 * count, timescale: 1))
    }
    return switch end {
    case nil: .chapter
    case .chapter: .item
    case .items: minutes(15)
    case .after(let time):
      time < MediaTime(value: 1_800, timescale: 1)
        ? minutes(30) : time < MediaTime(value: 3_600, timescale: 1) ? minutes(60) : nil
    }
  }
}
