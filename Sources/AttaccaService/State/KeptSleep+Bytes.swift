// SPDX-License-Identifier: Apache-2.0

// The sleep timer as the journal has it, and as the database has it.
extension KeptSleep {
  /// "moment 1750000000000 5000000000": the end, its number, and the fade.
  var text: String {
    switch end {
    case .moment(let moment): "moment \(moment) \(fade)"
    case .chapter: "chapter 0 \(fade)"
    case .items(let count): "items \(count) \(fade)"
    }
  }

  /// Reads what `text` has written; nil of anything else.
  init?(text: String) {
    let words = text.split(separator: " ")
    guard words.count == 3, let number = Int64(words[1]), let fade = Int64(words[2]), fade >= 0
    else { return nil }
    switch words[0] {
    case "moment": self.init(.moment(number), fade: fade)
    case "chapter": self.init(.chapter, fade: fade)
    case "items" where (1...1_000_000).contains(number):
      self.init(.items(Int(number)), fade: fade)
    default: return nil
    }
  }
}
