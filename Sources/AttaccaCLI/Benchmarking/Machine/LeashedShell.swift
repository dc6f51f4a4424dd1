// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A shell script that ends with this process, however that ends.
///
/// The script's standard input is a pipe which this process alone holds the other end of: where it
/// reads from it (`read -r _`), it goes on when this object is gone or the process has died, and
/// can clean up.
final class LeashedShell {
  private let identifier: pid_t
  private let leash: Int32

  /// Starts `sh -c script`, in a process group of its own, so that Ctrl-C reaches only us.
  ///
  /// `session` is a command and its arguments to run the shell under, such as `dbus-run-session`;
  /// `environment` is all that the script finds in its own.
  ///
  /// - Throws: where it cannot be started.
  init(
    _ script: String, session: [String] = [], environment: [String: String]
  ) throws(BenchError) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw Self.error("pipe") }
    defer { close(ends[0]) }
    // Another script must not hold this one's leash.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO)
    for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Dispatch's threads block signals, and the shell's `wait` needs SIGCHLD.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK))

    let words = session + ["sh", "-c", script]
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] =
      environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var child = pid_t()
    let code = posix_spawnp(&child, words[0], &actions, &attributes, &arguments, &variables)
    guard code == 0 else {
      close(ends[1])
      throw Self.error("posix_spawnp \(words[0])", code)
    }
    (identifier, leash) = (child, ends[1])
  }

  /// Lets the script go on to its end, and waits for that.
  deinit {
    close(leash)
    var status: Int32 = 0
    while waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
  }

  private static func error(_ call: String, _ code: Int32 = errno) -> BenchError {
    BenchError("\(call): \(String(cString: strerror(code)))")
  }

  /// Whether PATH has a program of that name.
  static func isInstalled(_ command: String) -> Bool {
    searchPath.split(separator: ":").contains { access("\($0)/\(command)", X_OK) == 0 }
  }

  /// What the scripts are given as PATH.
  static var searchPath: String {
    getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
  }
}
