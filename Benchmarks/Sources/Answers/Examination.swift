// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Answers one question after the other, and judges the answers by the limits that are checked in.
package enum Examination {
  /// `arguments` are `[--check LIMITS] [--once] [NAME…]`; ends the process with 1 where a limit is
  /// not kept or there is no answer.
  package static func hold(_ questions: [any Question], arguments: [String]) {
    do {
      try answer(questions, arguments)
    } catch {
      let line = "\(CommandLine.arguments[0]): \(error)\n"
      _ = write(STDERR_FILENO, line, line.utf8.count)
      exit(1)
    }
  }

  private static func answer(_ questions: [any Question], _ arguments: [String]) throws {
    var arguments = arguments
    var limits: Limits?
    var isQuick = false
    if let i = arguments.firstIndex(of: "--check"), i + 1 < arguments.count {
      limits = try Limits(path: arguments[i + 1])
      arguments.removeSubrange(i...i + 1)
    }
    if let i = arguments.firstIndex(of: "--once") {
      isQuick = true
      arguments.remove(at: i)
    }
    let asked = questions.filter { arguments.isEmpty || arguments.contains($0.name) }
    guard arguments.allSatisfy({ name in questions.contains { $0.name == name } }) else {
      throw BenchFailure("questions are: \(questions.map(\.name).joined(separator: ", "))")
    }
    var isKept = true
    for question in asked {
      print("\n\(question.name): \(question.asks)")
      for answer in try question.answer(Effort(isQuick: isQuick)) {
        let verdict = answer.isJudged ? limits?.verdict(on: answer, of: question.name) : nil
        print("  \(answer.text)\(verdict.map { "  \($0.text)" } ?? "")")
        fflush(nil)
        if let verdict, !verdict.isKept { isKept = false }
      }
    }
    if !isKept { throw BenchFailure("a limit is not kept") }
  }
}
