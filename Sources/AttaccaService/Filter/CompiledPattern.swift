// SPDX-License-Identifier: Apache-2.0

/// Regular expression of a filter, compiled once; one thread at a time.
final class CompiledPattern: Hashable {
  let pattern: String
  private let regex: Regex<AnyRegexOutput>

  /// Compiles `pattern`, in letters of either case where it `ignoresCase`.
  ///
  /// - Throws: For what is no regular expression.
  init(_ pattern: String, ignoresCase: Bool) throws(CommandError) {
    self.pattern = pattern
    do {
      let regex = try Regex(pattern)
      self.regex = ignoresCase ? regex.ignoresCase() : regex
    } catch {
      throw CommandError(.argument, "not a regular expression: \(pattern)")
    }
  }

  func matches(_ text: String) -> Bool {
    // What cannot be matched at all, as with too many steps, does not match.
    do { return try regex.firstMatch(in: text) != nil } catch { return false }
  }

  static func == (a: CompiledPattern, b: CompiledPattern) -> Bool { a === b }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
