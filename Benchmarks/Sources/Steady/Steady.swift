// SPDX-License-Identifier: Apache-2.0

import Answers

/// What playing does once it is under way.
///
/// A program of its own: its `malloc` is one that counts.
///
/// Usage: Steady [--check LIMITS] [--once]
@main
enum Steady {
  static func main() {
    Examination.hold(
      [SteadyQuestion(), VoicesQuestion()], arguments: Array(CommandLine.arguments.dropFirst()))
  }
}
