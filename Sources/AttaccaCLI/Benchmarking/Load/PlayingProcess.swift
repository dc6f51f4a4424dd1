// SPDX-License-Identifier: Apache-2.0

import Glibc

/// `attacca play` as a process of its own, so that nothing but playing is counted.
final class PlayingProcess {
  var identifier: pid_t { child.identifier }
  private let child: ChildProcess
  private let output: Int32
  private var text: [UInt8] = []
  private var hasEnded = false
  private let interruption: BenchInterruption

  /// The end of the process.
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
    let pipe = try ChildProcess.Pipe()
    defer { close(pipe.writing) }
    do {
      child = try ChildProcess(
        [program, "play"] + arguments, environment: environment, output: pipe.writing)
    } catch {
      close(pipe.reading)
      throw error
    }
    output = pipe.reading
    interruption.follow(identifier)
  }

  deinit {
    if !hasEnded {
      kill(identifier, SIGKILL)
      child.wait()
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
      guard process == 0 || errno == EINTR else { throw BenchError(call: "wait4") }
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
        throw BenchError(call: "read")
      }
      text += buffer[..<count]
      return count > 0
    }
  }

  /// This very program, wherever it stands.
  private static func program() throws(BenchError) -> String {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    guard readlink("/proc/self/exe", &path, path.count - 1) > 0 else {
      throw BenchError(call: "readlink /proc/self/exe")
    }
    return path.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
  }

  private static func nanoseconds(_ time: timeval) -> Int {
    time.tv_sec * 1_000_000_000 + Int(time.tv_usec) * 1_000
  }
}
