// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Glibc
import MediaTime
public import PulseAudio
public import SampleBuffers

/// A real sound server that only this test process knows, without hardware.
///
/// Subclassed by what runs. Tests take `shared` and a sink of their own, so that they can run at
/// the same time; a test that harms its server takes one of its own.
public class PrivateServer: @unchecked Sendable {
  /// What to give to `PulseConnection(server:)` or `PULSE_SERVER`.
  public let address: String
  /// The path of a socket through which all is said that its clients and the server say.
  ///
  /// A client of PulseAudio on the same machine speaks through memory otherwise, and nothing of that can be kept back: a
  /// server that `far_server` had made far away answered within 0.3 ms.
  public let messageSocket: String
  /// Process identifiers of the server's processes.
  public var identifiers: [Int32] { processes.identifiers }

  let processes: ServerProcess
  private let lock = NSLock()
  /// One after another: PulseAudio listens with a backlog of 5, and refuses connections beyond it.
  private let door = NSLock()
  private var sinkCount = 0
  private var modules: [String: String] = [:]
  private let socket: String
  private var gates = 0
  private var connection: PulseConnection?

  init(processes: ServerProcess, socket: String, messageSocket: String) throws {
    self.processes = processes
    self.socket = socket
    self.messageSocket = "\(processes.folder)/\(messageSocket)"
    address = "unix:\(processes.folder)/\(socket)"
    // The socket is there a little before the server answers.
    connection = try connectOnceThere()
  }

  private func connectOnceThere() throws -> PulseConnection {
    try Self.poll("the server at \(address)\n\(processes.log)") {
      guard FileManager.default.fileExists(atPath: "\(processes.folder)/\(socket)") else {
        return nil
      }
      return try PulseConnection(server: address, applicationName: "attacca tests")
    }
  }

  /// Ends its processes at once, as a crash does.
  public func kill() {
    lock.withLock { connection = nil }
    signal(SIGKILL)
    // Gone once nobody answers: the socket of a dead server refuses. Only its parent, the shell, is told
    // of a process's end, so others have to look.
    for pid in processes.identifiers { while !Self.isGone(pid) { usleep(500) } }
  }

  /// True where one of its processes has ended: by itself, where it was not `kill()`.
  public var hasEnded: Bool { processes.identifiers.contains(where: Self.isGone) }

  /// Cycles of a sink for which the server, by its own word, had nothing of who plays there, or gave nothing to who
  /// records it, as that client was late: of PipeWire on a busy machine; 0 of PulseAudio.
  ///
  /// Who plays is a renderer of `makeRenderer(on:)`, who records a `MonitorCapture`.
  public func missedCycles(of sink: String) -> Int { 0 }

  /// Bytes by which sinks of PulseAudio have gone back to play something else, each as the server tells it in a
  /// debug log: of what a sink had taken by then its monitor may have been given the old frames already, and is given
  /// none of the new.
  public var rewoundBytes: Set<Int> {
    let words = "module-null-sink.c: Rewound "
    return Set(
      lines.compactMap { line in
        line.range(of: words).flatMap { Int(line[$0.upperBound...].prefix(while: \.isNumber)) }
      })
  }

  /// What its processes have written.
  var lines: [Substring] { processes.log.split(separator: "\n") }

  /// The end of what its processes have written.
  public var lastWords: String { String(processes.log.suffix(2_000)) }

  /// Has the threads that play PulseAudio's null sinks run when nobody else wants to, or as usual.
  public func setDevices(areLast: Bool) {
    for pid in processes.identifiers {
      let tasks = "/proc/\(pid)/task"
      for task in (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? [] {
        let name = try? String(contentsOfFile: "\(tasks)/\(task)/comm", encoding: .utf8)
        guard let thread = pid_t(task), name == "null-sink\n" else { continue }
        var parameters = sched_param()
        // 5 is SCHED_IDLE, which Glibc does not have here.
        sched_setscheduler(thread, areLast ? 5 : SCHED_OTHER, &parameters)
      }
    }
  }

  /// The shell that would collect it waits for something else.
  private static func isGone(_ pid: pid_t) -> Bool {
    guard Glibc.kill(pid, 0) == 0 else { return true }
    guard let data = FileManager.default.contents(atPath: "/proc/\(pid)/stat") else { return true }
    let text = String(decoding: data, as: UTF8.self)
    return text.split(separator: ")").last?.hasPrefix(" Z") ?? true
  }

  /// Starts it again after `kill()`, without sinks, and waits until it answers.
  public func restart() throws {
    lock.withLock { modules = [:] }
    try processes.restart()
    let connection = try connectOnceThere()
    lock.withLock { self.connection = connection }
  }

  /// Another address of it, which can be shut: clients find no server there while it is.
  public func makeGate() -> ServerGate {
    let number = lock.withLock { () -> Int in
      gates += 1
      return gates
    }
    return ServerGate(
      path: "\(processes.folder)/gate\(number)", target: "\(processes.folder)/\(socket)")
  }

  /// A new connection to it.
  public func connect(
    onFailure: (@Sendable (PulseError) -> Void)? = nil
  ) throws -> PulseConnection {
    try door.withLock {
      try PulseConnection(
        server: address, applicationName: "attacca tests", onFailure: onFailure)
    }
  }

  /// Connects in another way than `connect()`, in turn with all others: `body` gets the address.
  public func withDoor<R, E: Error>(_ body: (String) throws(E) -> R) throws(E) -> R {
    door.lock()
    defer { door.unlock() }
    return try body(address)
  }

  /// Loads a null sink and waits until it is there.
  ///
  /// - Parameters:
  ///   - given: Its name; `nil` for one that no other has.
  ///   - format: Its rate and channels; Float32 as all here.
  ///   - rewinds: Whether it takes back what it has rendered. Where it does, its monitor has the first
  ///     8,184 frames of a block when the block is taken: what is rewound of them it does not hear again.
  /// - Returns: Its name; its monitor is that with ".monitor".
  /// - Throws: What `pactl` says.
  public func makeSink(
    named given: String? = nil,
    format: AudioFormat = AudioFormat(sampleRate: 48_000, layout: .stereo),
    rewinds: Bool = TestedServer.rewinds
  ) throws -> String {
    let name = lock.withLock { () -> String in
      if let given { return given }
      sinkCount += 1
      return "test\(sinkCount)"
    }
    let module = try control(
      [
        "load-module", "module-null-sink", "sink_name=\(name)", "format=float32le",
        "rate=\(format.sampleRate)", "channels=\(format.channelCount)",
        "channel_map=\(format.layout.speakers.map(Self.name).joined(separator: ","))",
      ]
        + moduleArguments(rewinds: rewinds))
    lock.withLock { modules[name] = module }
    _ = try Self.poll("sink \(name)") { try connection?.sink(named: name) }
    return name
  }

  /// Makes a sink that no test uses the default one.
  ///
  /// A server moves the streams of a sink that goes to the default one. What is left of one test would
  /// be mixed into another's recording there: the fade of a stop was, 240 frames on this sink in one of
  /// 25 runs, 153 in a recording before there was this sink; on PipeWire a sound at twice the speed.
  func makeDefaultNobodys() throws {
    try setDefault(sink: makeSink(named: "nobody"))
  }

  /// Has `sink` be the one of streams that name none.
  ///
  /// PipeWire's server answers before its session manager can hold a default: "Not supported".
  public func setDefault(sink: String) throws {
    _ = try Self.poll("a default sink") { try control(["set-default-sink", sink]) }
  }

  /// Unloads a sink that `makeSink` made: a server has room for about 30.
  public func removeSink(_ name: String) throws {
    guard let module = lock.withLock({ modules.removeValue(forKey: name) }) else { return }
    try control(["unload-module", module])
  }

  private static func name(of speaker: ChannelLayout.Speaker) -> String {
    switch speaker {
    case .mono: "mono"
    case .frontLeft: "front-left"
    case .frontRight: "front-right"
    case .frontCenter: "front-center"
    case .lowFrequency: "lfe"
    case .backLeft: "rear-left"
    case .backRight: "rear-right"
    case .backCenter: "rear-center"
    case .sideLeft: "side-left"
    case .sideRight: "side-right"
    case .frontLeftOfCenter: "front-left-of-center"
    case .frontRightOfCenter: "front-right-of-center"
    }
  }

  func moduleArguments(rewinds: Bool) -> [String] { rewinds ? [] : ["norewinds=1"] }

  /// Runs `pactl` on the server, as in `control(["suspend-sink", name, "1"])`.
  ///
  /// Again where it is refused, for 10 s: with 5 others waiting at its door, players that come back for example,
  /// PulseAudio refuses who comes.
  @discardableResult
  public func control(_ arguments: [String]) throws -> String {
    let end = HostTime.now() + 10_000_000_000
    while true {
      let (output, complaint, status) = try pactl(arguments)
      if status == 0 { return output }
      let isRefused = complaint.contains("Connection refused")
      guard isRefused, HostTime.now() < end else {
        // One that has ended by itself says why.
        let log = isRefused ? "; the server wrote: \(lastWords)" : ""
        throw TestServerError(
          """
          pactl \(arguments.joined(separator: " ")): \(complaint) \
          (status \(status); 127 means that there is none: scripts/fetch-servers)\(log)
          """)
      }
      usleep(5_000)
    }
  }

  private func pactl(
    _ arguments: [String]
  ) throws -> (output: String, complaint: String, status: Int32) {
    door.lock()
    defer { door.unlock() }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["PATH=\(ServerPrograms.searchPath)", "pactl", "-s", address] + arguments
    let (output, errors) = (Pipe(), Pipe())
    (process.standardOutput, process.standardError) = (output, errors)
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    let complaint = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (
      String(decoding: text, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines),
      String(decoding: complaint, as: UTF8.self), process.terminationStatus
    )
  }

  /// Has a client of the server's own play a file on a sink; it goes on until it is over, or is ended.
  public func play(_ path: String, on sink: String) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "PATH=\(ServerPrograms.searchPath)", "paplay", "-s", address, "-d", sink, path,
    ]
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  /// Sends a signal to each process of the server, as `SIGKILL` or `SIGSTOP`.
  public func signal(_ number: Int32) {
    for pid in processes.identifiers { Glibc.kill(pid, number) }
  }

  /// Ends the server and removes its folder.
  public func stop() {
    lock.withLock { connection = nil }
    processes.stop()
  }

  /// Tries every 5 ms for 10 s until there is an answer; errors meanwhile are a server's that
  /// starts.
  ///
  /// A server does not say that it listens, or that a sink is there, before one can connect to it.
  static func poll<R>(_ what: @autoclosure () -> String, _ body: () throws -> R?) throws -> R {
    let end = HostTime.now() + 10_000_000_000
    var cause = "nothing"
    while HostTime.now() < end {
      do {
        if let answer = try body() { return answer }
      } catch { cause = "\(error)" }
      usleep(5000)
    }
    throw TestServerError("after 10 s there is still no answer but \(cause) from \(what())")
  }
}
