// SPDX-License-Identifier: Apache-2.0

/// Format of frames in a filter, "44100:16:2", where "*" stands for any number.
struct AudioFormatMask: Hashable, Sendable {
  private let parts: [String?]

  /// The mask of a text; nil for what is none, and for a "*" where that is not permitted.
  init?(_ text: String, permitsAny: Bool) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3 else { return nil }
    for part in parts where !Self.isPart(part, permitsAny) { return nil }
    self.parts = parts.map { $0 == "*" ? nil : $0 }
  }

  private static func isPart(_ part: String, _ permitsAny: Bool) -> Bool {
    if part == "*" { return permitsAny }
    return part == "f" || !part.isEmpty && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  /// Tells whether a song's format is one of the mask.
  func matches(_ format: String) -> Bool {
    let own = format.split(separator: ":", omittingEmptySubsequences: false)
    return own.count == parts.count
      && zip(own, parts).allSatisfy { own, part in part.map { own == $0 } ?? true }
  }
}
