// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The checked-in limits: lines of "question/answer TAB limit"; # begins a comment.
package struct Limits {
  private var values: [String: Double] = [:]

  package init(path: String) throws {
    guard let file = fopen(path, "r") else {
      throw BenchFailure("fopen \(path): \(String(cString: strerror(errno)))")
    }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 1_024)
    while fgets(&line, Int32(line.count), file) != nil {
      let bytes = line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      let text = String(decoding: bytes, as: UTF8.self).split(
        separator: "#", maxSplits: 1,
        omittingEmptySubsequences: false)[0]
      let fields = text.split(separator: "\t").map { $0.filter { !$0.isNewline } }
      guard fields.count > 0, !(fields.count == 1 && fields[0].allSatisfy(\.isWhitespace)) else {
        continue
      }
      guard fields.count == 2, let value = Double(fields[1]) else {
        throw BenchFailure("\(path): not a name, a tab and a number: \(text)")
      }
      values[fields[0]] = value
    }
  }

  /// Whether an answer keeps its limit; nil where it has none.
  package func verdict(on answer: Answer, of question: String) -> (isKept: Bool, text: String)? {
    guard let limit = values["\(question)/\(answer.name)"] else { return nil }
    let isKept = answer.value <= limit
    return (isKept, "\(isKept ? "✓" : "✗") at most \(limit)")
  }
}
