// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A shell script that ends with this process, however that ends.
///
/// The script's standard input is a pipe which this process alone holds the other end of: where it
/// reads from it (`read -r _`), it goes on when this object is gone or the process has died, and
/// can clean up.
final class LeashedShell {
  private let shell: ChildProcess
  private let leash: Int32

  /// Starts `sh -c script`.
  ///
  /// `session` is a command and its arguments to run the shell under, such as `dbus-run-session`;
  /// `environment` is all that the script finds in its own.
  ///
  /// - Throws: where it cannot be started.
  init(
    _ script: String, session: [String] = [], environment: [String: String]
  ) throws(BenchError) {
    // Another script must not hold this one's leash: a pipe's ends are closed in what is started.
    let pipe = try ChildProcess.Pipe()
    defer { close(pipe.reading) }
    do {
      shell = try ChildProcess(
        session + ["sh", "-c", script], environment: environment, input: pipe.reading)
    } catch {
      close(pipe.writing)
      throw error
    }
    leash = pipe.writing
  }

  /// Lets the script go on to its end, and waits for that.
  deinit {
    close(leash)
    shell.wait()
  }

  /// Tells whether PATH has a program of that name.
  static func isInstalled(_ command: String) -> Bool {
    searchPath.split(separator: ":").contains { access("\($0)/\(command)", X_OK) == 0 }
  }

  /// Value of PATH that the scripts are given.
  static var searchPath: String {
    getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
  }
}
