// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A sound server's processes in a temporary folder of their own, which go when this goes.
///
/// A shell watches over them: it reads from a pipe that this process holds, so that they are ended
/// and the folder is removed even where the test process crashes.
final class ServerProcess: Sendable {
  /// The folder, which is `HOME` and `XDG_RUNTIME_DIR` to the server.
  let folder: String
  private let shell: Process
  private let leash: Pipe
  private let answer: Pipe
  private let lock = NSLock()
  /// Touched with `lock` held only.
  nonisolated(unsafe) private var started: [pid_t] = []

  /// Starts `script`, a shell text that starts its servers with `serve COMMAND…`.
  init(script: String, tools: [(command: String, package: String)], session: [String] = []) throws {
    for (command, package) in tools where ServerPrograms.path(of: command) == nil {
      throw TestServerError(
        """
        the tests need \(command), and it is neither in .servers (scripts/fetch-servers puts it there) nor \
        installed (its package is \(package))
        """)
    }
    var template = Array("/tmp/attacca-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw TestServerError("mkdtemp /tmp/attacca-test-XXXXXX: \(String(cString: strerror(errno)))")
    }
    folder = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    let text = """
      pids=
      serve() { "$@" >>log 2>&1 </dev/null & pids="$pids $!"; }
      cd '\(folder)' || exit 1
      start() {
      \(script)
      }
      start
      echo $pids
      while read -r _; do
        pids=
        start
        echo $pids
      done
      for p in $pids; do kill -CONT $p; kill $p; done 2>/dev/null
      wait
      rm -rf '\(folder)'
      """
    shell = Process()
    leash = Pipe()
    answer = Pipe()
    let command = session + ["sh", "-c", text]
    shell.executableURL = URL(fileURLWithPath: ServerPrograms.path(of: command[0])!)
    shell.arguments = Array(command.dropFirst())
    shell.environment = [
      "PATH": ServerPrograms.searchPath,
      "HOME": folder, "XDG_RUNTIME_DIR": folder, "PIPEWIRE_RUNTIME_DIR": folder,
      "PULSE_RUNTIME_PATH": folder + "/pulse", "LC_ALL": "C",
    ]
    shell.standardInput = leash
    shell.standardOutput = answer
    shell.standardError = FileHandle.nullDevice
    // Dispatch's threads block SIGCHLD, the shell would inherit that, and its `wait` never end.
    var (none, inherited) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &inherited)
    defer { pthread_sigmask(SIG_SETMASK, &inherited, nil) }
    try shell.run()
    try readIdentifiers()
  }

  /// A line comes once all are started; the shell closes nothing before its end.
  private func readIdentifiers() throws {
    var line = Data()
    while line.last != UInt8(ascii: "\n") {
      let more = answer.fileHandleForReading.availableData
      guard !more.isEmpty else { throw TestServerError("the shell in \(folder) ended early") }
      line += more
    }
    let numbers = String(decoding: line, as: UTF8.self).split { $0.isWhitespace }
    lock.withLock { started = numbers.compactMap { pid_t($0) } }
  }

  /// Process identifiers of what the script started last, in its order.
  var identifiers: [pid_t] { lock.withLock { started } }

  /// Runs the script once more, after what it had started has been ended.
  func restart() throws {
    leash.fileHandleForWriting.write(Data("again\n".utf8))
    try readIdentifiers()
  }

  deinit { stop() }

  /// Ends the servers and removes the folder; returns when that is done.
  ///
  /// Again, it does nothing.
  func stop() {
    guard shell.isRunning else { return }
    leash.fileHandleForWriting.closeFile()
    shell.waitUntilExit()
  }

  /// What the servers wrote, for messages.
  var log: String {
    FileManager.default.contents(atPath: folder + "/log").map {
      String(decoding: $0, as: UTF8.self)
    }
      ?? "(no log)"
  }
}
