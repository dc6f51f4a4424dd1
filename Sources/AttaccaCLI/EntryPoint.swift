// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc

/// Runs the command that the arguments name.
///
/// The parser's own entry point ends with 64 for wrong usage; players end with 1.
@main
enum EntryPoint {
  static func main() {
    // Tells whether the terminal takes UTF-8.
    setlocale(LC_CTYPE, "")
    // A reader of ours that goes away is told by the write that fails.
    signal(SIGPIPE, SIG_IGN)
    // So is a file that may not grow on: its temporary beginning can then be removed.
    signal(SIGXFSZ, SIG_IGN)
    do {
      let arguments = ShuffleChoice.named(in: ArgumentText.ofProcess)
      var command = try AttaccaCommand.parseAsRoot(arguments)
      try command.run()
    } catch {
      end(with: error)
    }
  }

  private static func end(with error: any Error) -> Never {
    let code = AttaccaCommand.exitCode(for: error)
    let message = AttaccaCommand.fullMessage(for: error)
    let output = code.isSuccess ? TextOutput.standard : .errors
    if !message.isEmpty { output.write(ArgumentText.shown(message) + "\n") }
    output.flush()
    exit(code == .validationFailure ? ExitStatus.refused.rawValue : code.rawValue)
  }
}
