// SPDX-License-Identifier: Apache-2.0

/// Something that one wants to know of the engine's speed.
package protocol Question {
  /// One word.
  var name: String { get }
  /// The question in words.
  var asks: String { get }
  /// Checks that the result is right, and then measures.
  func answer(_ effort: Effort) throws -> [Answer]
}

/// A figure with a name; a ratio or a count can be judged.
package struct Answer {
  package let name: String
  package let value: Double
  package let unit: String
  /// Only what means the same on every machine.
  package var isJudged = false

  package init(name: String, value: Double, unit: String, isJudged: Bool = false) {
    (self.name, self.value, self.unit, self.isJudged) = (name, value, unit, isJudged)
  }

  package var text: String {
    let rounded = (value * 1_000).rounded() / 1_000
    return "\(name): \(rounded) \(unit)"
  }
}
