// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Answers one question after the other, and judges the answers by the limits that are checked in.
///
/// Usage: Bench [--check LIMITS] [--once] [NAME…]
@main
enum Bench {
  static var questions: [any Question] {
    [
      FillQuestion(), InstructionQuestion(), EnqueueQuestion(), ConversionQuestion(),
      DecodeQuestion(), EditQuestion(),
      IdleItemQuestion(), PlayingEditQuestion(), HoldQuestion(), ClockQuestion(),
      ObserverQuestion(),
    ]
  }

  static func main() {
    var arguments = Array(CommandLine.arguments.dropFirst())
    var limits: Limits?
    var isQuick = false
    // By itself, under callgrind.
    if arguments.count == 2, arguments[0] == "--fill",
      let kind = InstructionQuestion.Kind(rawValue: arguments[1])
    {
      return InstructionQuestion.fill(kind)
    }
    do {
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
    } catch {
      for line in ["Bench: \(error)\n"] { _ = write(STDERR_FILENO, line, line.utf8.count) }
      exit(1)
    }
  }
}

/// Something that one wants to know of the engine's speed.
protocol Question {
  /// One word.
  var name: String { get }
  /// The question in words.
  var asks: String { get }
  /// Checks that the result is right, and then measures.
  func answer(_ effort: Effort) throws -> [Answer]
}

/// A figure with a name; a ratio or a count can be judged.
struct Answer {
  let name: String
  let value: Double
  let unit: String
  /// Only what means the same on every machine.
  var isJudged = false

  var text: String {
    let rounded = (value * 1_000).rounded() / 1_000
    return "\(name): \(rounded) \(unit)"
  }
}

/// Why there is no answer.
struct BenchFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  /// - Throws: `what`, where the result to be timed is not right.
  static func unless(_ isRight: Bool, _ what: @autoclosure () -> String) throws {
    if !isRight { throw BenchFailure(what()) }
  }

  /// Looks every millisecond until `isSo`.
  ///
  /// - Throws: `what`, after ten seconds: a benchmark must end.
  static func waitUntil(_ what: String, _ isSo: () -> Bool) throws {
    let begin = Effort.now()
    while !isSo() {
      if Effort.now() - begin > 10_000_000_000 { throw BenchFailure("not in 10 s: \(what)") }
      usleep(1_000)
    }
  }
}
