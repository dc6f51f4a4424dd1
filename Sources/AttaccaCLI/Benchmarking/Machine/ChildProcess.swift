// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A program started by this one, in a process group of its own, so that Ctrl-C reaches only us.
struct ChildProcess {
  let identifier: pid_t

  /// The ends of a pipe; what is started has neither but where it is given one.
  struct Pipe {
    let (reading, writing): (Int32, Int32)

    init() throws(BenchError) {
      var ends: [Int32] = [0, 0]
      guard pipe(&ends) == 0 else { throw BenchError(call: "pipe") }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      (reading, writing) = (ends[0], ends[1])
    }
  }

  /// Starts `words[0]`, found in PATH where it has no slash, with the rest as its arguments.
  ///
  /// `environment` is all that it finds in its own; `input` is what it reads from and `output` where
  /// it and its errors write to, /dev/null where there is none.
  ///
  /// - Throws: where it cannot be started.
  init(
    _ words: [String], environment: [String: String], input: Int32? = nil, output: Int32? = nil
  ) throws(BenchError) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (own, given) in [(STDIN_FILENO, input), (STDOUT_FILENO, output), (STDERR_FILENO, output)] {
      if let given {
        posix_spawn_file_actions_adddup2(&actions, given, own)
      } else {
        posix_spawn_file_actions_addopen(&actions, own, "/dev/null", O_RDWR, 0)
      }
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Dispatch's threads block signals: a shell's `wait` needs SIGCHLD, and a player is ended by one.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK))

    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] =
      environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var child = pid_t()
    let code = posix_spawnp(&child, words[0], &actions, &attributes, &arguments, &variables)
    guard code == 0 else { throw BenchError(call: "posix_spawnp \(words[0])", code: code) }
    identifier = child
  }

  /// Waits until it has ended.
  func wait() {
    var status: Int32 = 0
    while waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
  }
}
