// SPDX-License-Identifier: Apache-2.0

import Glibc

/// `attacca play` as a process of its own, so that nothing but playing is counted.
final class PlayingProcess {
  let identifier: pid_t
  private let output: Int32
  private var text: [UInt8] = []
  private var hasEnded = false
  private let interruption: BenchInterruption

  /// How it ended.
  struct End {
    /// CPU nanoseconds of the whole run.
    let user: Int
    let system: Int
  }

  /// Starts to play.
  ///
  /// `arguments` are those of `attacca play`; `environment` is all that it finds in its own.
  ///
  /// - Throws: where the program is not there any more, or cannot be started.
  init(
    _ arguments: [String], environment: [String: String], interruption: BenchInterruption
  ) throws(BenchError) {
    self.interruption = interruption
    let program = try Self.program()
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw Self.error("pipe") }
    defer { close(ends[1]) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_adddup2(&actions, ends[1], descriptor)
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Ctrl-C reaches only us, and we end it; dispatch's threads block signals.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK))

    var words: [UnsafeMutablePointer<CChar>?] = ([program, "play"] + arguments).map { strdup($0) }
    words.append(nil)
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0)=\($1)") }
    variables.append(nil)
    defer { for text in words + variables { free(text) } }
    var child = pid_t()
    let code = posix_spawn(&child, program, &actions, &attributes, &words, &variables)
    guard code == 0 else {
      close(ends[0])
      throw Self.error("posix_spawn \(program)", code)
    }
    (identifier, output) = (child, ends[0])
    interruption.follow(child)
  }

  deinit {
    if !hasEnded {
      kill(identifier, SIGKILL)
      var status: Int32 = 0
      while waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
      interruption.follow(nil)
    }
    close(output)
  }

  /// Waits until it says that an item is heard.
  ///
  /// - Throws: where it ends instead, or does not within 10 s.
  func waitUntilHeard() throws(BenchError) {
    while !said.contains("1 of 1: ") {
      var wait = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      guard poll(&wait, 1, 10_000) > 0 else {
        throw BenchError("attacca play is not heard within 10 s: \(said)")
      }
      guard try read() else { throw BenchError("attacca play ended: \(said)") }
    }
  }

  /// Waits for its end, at most 10 s.
  ///
  /// - Throws: where it does not end by itself, or has not played everything.
  func waitForEnd() throws(BenchError) -> End {
    let end = BenchClock.now + 10_000_000_000
    var (status, usage) = (0 as Int32, rusage())
    while true {
      let process = wait4(identifier, &status, WNOHANG, &usage)
      if process == identifier { break }
      guard process == 0 || errno == EINTR else { throw Self.error("wait4") }
      guard BenchClock.now < end else { throw BenchError("attacca play does not end") }
      usleep(10_000)
    }
    hasEnded = true
    interruption.follow(nil)
    while try read() {}
    guard status == 0 else {
      throw BenchError("attacca play did not play to the end (wait status \(status)): \(said)")
    }
    return End(user: Self.nanoseconds(usage.ru_utime), system: Self.nanoseconds(usage.ru_stime))
  }

  private var said: String { String(decoding: text, as: UTF8.self) }

  /// Reads on; false at the end.
  private func read() throws(BenchError) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 1_024)
    while true {
      let count = Glibc.read(output, &buffer, buffer.count)
      guard count >= 0 else {
        if errno == EINTR { continue }
        throw Self.error("read")
      }
      text += buffer[..<count]
      return count > 0
    }
  }

  /// This very program, wherever it stands.
  private static func program() throws(BenchError) -> String {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    guard readlink("/proc/self/exe", &path, path.count - 1) > 0 else {
      throw error("readlink /proc/self/exe")
    }
    return path.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
  }

  private static func nanoseconds(_ time: timeval) -> Int {
    time.tv_sec * 1_000_000_000 + Int(time.tv_usec) * 1_000
  }

  private static func error(_ call: String, _ code: Int32 = errno) -> BenchError {
    BenchError("\(call): \(String(cString: strerror(code)))")
  }
}
