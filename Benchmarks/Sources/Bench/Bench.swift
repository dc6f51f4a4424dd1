// SPDX-License-Identifier: Apache-2.0

import Answers

/// Single questions to the engine.
///
/// Usage: Bench [--check LIMITS] [--once] [NAME…]
@main
enum Bench {
  static var questions: [any Question] {
    [
      FillQuestion(), BusQuestion(), InstructionQuestion(), EnqueueQuestion(), ConversionQuestion(),
      DecodeQuestion(), EditQuestion(),
      IdleItemQuestion(), PlayingEditQuestion(), HoldQuestion(), ClockQuestion(),
      EditStormQuestion(), UnmountedQuestion(), ObserverQuestion(), QueueQuestion(kind: .restart),
      QueueQuestion(kind: .continue), ListQuestion(),
    ]
  }

  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.count == 2, arguments[0] == "--list" { return try ListQuestion.read(arguments[1]) }
    // By itself, under callgrind.
    if arguments.count == 2, arguments[0] == "--fill",
      let kind = InstructionQuestion.Kind(rawValue: arguments[1])
    {
      return InstructionQuestion.fill(kind)
    }
    Examination.hold(questions, arguments: arguments)
  }
}
