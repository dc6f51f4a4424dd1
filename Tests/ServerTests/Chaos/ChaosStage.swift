// SPDX-License-Identifier: Apache-2.0

import CFaults
import Foundation
import MediaTime
import PulseAudio
import SampleBuffers
import TestSeeds
import TestServers

/// A server with two sinks, the way to it, and the faults that are done to both; for one thread.
final class ChaosStage {
  static let sinks = ["a", "b"]
  /// Frames of a cycle of PipeWire's; of those that recorders ask for, 256, it missed one in 80 s beside other work.
  private static let cycle = 2_048

  let server: PrivateServer
  /// Where players find the server: far away, at times.
  let address: String
  private let far: OpaquePointer
  /// A file that another client plays.
  private let file: String
  private let log: ChaosLog
  private let recorder: ChaosRecorder
  /// The sinks that may not be as they were made.
  private var changed: Set<String> = []
  /// The notes of a server that is far away, and of a disk that is slow.
  private var distance: Int?
  private var slowness: Int?
  /// How often the server has ended by itself.
  private(set) var ends = 0

  init(log: ChaosLog, recorder: ChaosRecorder, file: String) throws {
    (self.log, self.recorder, self.file) = (log, recorder, file)
    server =
      TestedServer.isPipeWire
      ? try PrivatePipeWireServer(quantum: Self.cycle) : try PrivatePulseServer()
    let path = server.messageSocket
    address = "unix:\(path)-far"
    guard let far = far_server_start("\(path)-far", path) else {
      throw Unmet("a socket at \(path)-far")
    }
    self.far = far
    try makeSinks()
  }

  deinit {
    far_server_stop(far)
    recorder.detach()
    server.stop()
  }

  private func makeSinks() throws {
    for sink in Self.sinks { try makeSink(sink) }
    try server.setDefault(sink: Self.sinks[0])
  }

  private func makeSink(_ sink: String) throws {
    changed.insert(sink)
    _ = try server.makeSink(named: sink, format: FaultScene.a.format)
    try recorder.attach(sink, of: server)
    changed.remove(sink)
  }

  // MARK: Faults

  /// Does one fault, and ends it; some stay until `heal`.
  func fault(_ kind: ChaosWeather.Fault, _ random: inout SplitMix64) throws {
    try reviveIfEnded()
    let milliseconds = Int.random(in: 50...3_000, using: &random)
    let name = "fault: \(kind)"
    switch kind {
    case .stop:
      try fault("\(name) for \(milliseconds) ms", .stop(48 * milliseconds)) {
        try stop(milliseconds)
      }
    case .freeze:
      let milliseconds = milliseconds / 5
      let isWhole = Bool.random(using: &random)
      let all = isWhole ? ", the server, too" : ""
      try fault("\(name) for \(milliseconds) ms\(all)", .stop(48 * milliseconds)) {
        try freeze(milliseconds, withServer: isWhole)
      }
    case .kill: try fault(name, .loss) { try kill(&random) }
    case .remove: try fault(name, .loss) { try remove(&random, format: FaultScene.a.format) }
    case .reformat:
      // PipeWire's sinks all run at their graph's rate.
      let other = TestedServer.isPipeWire ? FaultScene.surround : FaultScene.c
      try fault(name, .loss) { try remove(&random, format: other.format) }
    case .move: try fault(name) { try move(&random) }
    case .suspend: try fault(name) { try suspend(&random) }
    case .default: try fault(name) { try changeDefault(&random) }
    case .distance: changeDistance(&random)
    case .cut: try fault(name, .loss) { far_server_cut(far) }
    case .rate:
      let rate = Int64.random(in: 5...100, using: &random)
      lasting(&slowness, "\(name) \(rate) MB/s") { slow_disk_set_rate(rate * 1_000_000) }
    case .stall:
      try fault("\(name) for \(milliseconds) ms") {
        slow_disk_stall(Int64(milliseconds))
        Thread.sleep(forTimeInterval: Double(milliseconds) / 1e3)
      }
    }
  }

  /// Does what lasts until `heal`.
  private func lasting(
    _ number: inout Int?, _ name: String, _ cause: ChaosCause = .fault, _ body: () -> Void
  ) {
    log.note(name, .fault)
    number = number ?? log.begin("\(name), or another", cause)
    body()
  }

  private func fault(
    _ name: String, _ cause: ChaosCause = .fault, _ body: () throws -> Void
  ) throws {
    let number = log.begin(name, cause)
    defer { log.end(number) }
    do { try body() } catch let error where error is TestServerError || error is PulseError {
      // The sink, or the stream, is not there just now; PipeWire left a recorder without an answer.
      log.note("\(name): \(error)")
    }
  }

  /// Everything is as it was made.
  func heal() throws {
    try reviveIfEnded()
    let number = log.begin("heal", .fault)
    defer { log.end(number) }
    far_server_set_delay(far, 0, 0)
    slow_disk_set_rate(0)
    slow_disk_stall(0)
    for number in [distance, slowness].compactMap({ $0 }) { log.end(number) }
    (distance, slowness) = (nil, nil)
    for sink in changed.sorted() {
      do { try server.removeSink(sink) } catch { log.note("heal: \(error)") }
      try makeSink(sink)
    }
    try server.setDefault(sink: Self.sinks[0])
  }

  private func last(_ seconds: ClosedRange<Double>, _ random: inout SplitMix64) {
    Thread.sleep(forTimeInterval: Double.random(in: seconds, using: &random))
  }

  private func stop(_ milliseconds: Int) throws {
    // The process that players talk to; PipeWire's graph goes on without it.
    let pid = server.identifiers.last!
    Foundation.kill(pid, SIGSTOP)
    Thread.sleep(forTimeInterval: Double(milliseconds) / 1e3)
    Foundation.kill(pid, SIGCONT)
    missACycle()
  }

  /// Notes that recorders are not given what was played when PipeWire's PulseAudio server was stopped.
  ///
  /// They were given silence for a cycle in 8 of 8 stops, and for one or two in 18 of 18 of two stops
  /// in a row. PipeWire's own recorder, which is no client of that server, had all that was played.
  private func missACycle() {
    guard TestedServer.isPipeWire else { return }
    log.note("recorders miss a cycle", .missed(Self.cycle))
  }

  /// Stops this process, and the server with it, as a machine does that stands still.
  private func freeze(_ milliseconds: Int, withServer isWhole: Bool) throws {
    let all = (isWhole ? [server.identifiers.last!] : []) + [getpid()]
    let pids = all.map(String.init).joined(separator: " ")
    let shell = Process()
    shell.executableURL = URL(filePath: "/bin/sh")
    shell.arguments = [
      "-c", "kill -STOP \(pids); sleep \(Double(milliseconds) / 1e3); kill -CONT \(pids)",
    ]
    try shell.run()
    shell.waitUntilExit()
    if isWhole { missACycle() }
  }

  private func kill(_ random: inout SplitMix64) throws {
    changed = Set(Self.sinks)
    server.kill()
    recorder.detach()
    last(0...2, &random)
    try server.restart()
    try makeSinks()
  }

  /// Takes a sink away and brings it back with a format, which stays until `heal`.
  private func remove(_ random: inout SplitMix64, format: AudioFormat) throws {
    let sink = Self.sinks.randomElement(using: &random)!
    changed.insert(sink)
    recorder.detach(sink)
    try server.removeSink(sink)
    last(0.1...2, &random)
    if format == FaultScene.a.format {
      try makeSink(sink)
    } else {
      _ = try server.makeSink(named: sink, format: format)
    }
  }

  private func move(_ random: inout SplitMix64) throws {
    let sink = Self.sinks.randomElement(using: &random)!
    for input in try streams() { try server.control(["move-sink-input", "\(input.index)", sink]) }
  }

  private func suspend(_ random: inout SplitMix64) throws {
    let sink = Self.sinks.randomElement(using: &random)!
    let wasChanged = !changed.insert(sink).inserted
    // PipeWire 0.3.65 goes on reading a stream that began less than half a second before, and nobody hears it:
    // 75,000 to 150,000 frames of pacat's in 15 of 15 starts. What had played for longer it does not suspend.
    let deafness =
      TestedServer.isPipeWire ? log.begin("nobody hears \(sink), suspended", .deafness) : nil
    defer { if let deafness { log.end(deafness) } }
    try server.control(["suspend-sink", sink, "1"])
    last(0.1...1.5, &random)
    try server.control(["suspend-sink", sink, "0"])
    if !wasChanged { changed.remove(sink) }
  }

  private func changeDefault(_ random: inout SplitMix64) throws {
    try server.control(["set-default-sink", Self.sinks.randomElement(using: &random)!])
  }

  private func changeDistance(_ random: inout SplitMix64) {
    let there = Int32.random(in: 0...200, using: &random)
    let back = Int32.random(in: 0...200, using: &random)
    lasting(&distance, "fault: distance \(there) + \(back) ms", .distance) {
      far_server_set_delay(far, there, back)
    }
  }

  /// How many clients have come over the way that is far, at times.
  var connections: Int { Int(far_server_connections(far)) }

  /// Whether another client's frames are not heard in order on the first sink either, where nothing else plays.
  ///
  /// PipeWire 0.3.65 plays nothing of anybody's at times after its PulseAudio server was stopped ("loop_invoke: queue
  /// full").
  func isBroken() throws -> Bool {
    let number = log.begin("another client plays", .oddity)
    defer { log.end(number) }
    let process = try server.play(file, on: Self.sinks[0])
    defer {
      process.terminate()
      process.waitUntilExit()
    }
    let end = HostTime.now() + 5_000_000_000
    while HostTime.now() < end {
      recorder.read()
      if let heard = recorder.heard(on: Self.sinks[0]), heard.inOrder > 48_000 { return false }
      Thread.sleep(forTimeInterval: 0.05)
    }
    return true
  }

  /// Ends the server, and starts it anew as it was made.
  func revive() throws {
    var random = SplitMix64(seed: 0)
    try fault("revive") { try kill(&random) }
    try heal()
  }

  /// Starts the server anew where it has ended by itself, and says what it wrote.
  ///
  /// PulseAudio 16.1 aborts where a sink's thread lets go of a block of a client's memory at the moment at which that
  /// client goes, as each counts the block out (`memblock_replace_import`): twice in nine half hours. The kernel ends
  /// it where such a thread calculates for 200 ms on end (`rlimit-rttime`), as behind 3 s in which it was stopped
  /// with 16 streams.
  ///
  /// - Returns: whether it had.
  @discardableResult
  func reviveIfEnded() throws -> Bool {
    guard server.hasEnded else { return false }
    ends += 1
    print(
      "chaos: the server has ended by itself, and is started anew; it wrote: \(server.lastWords)")
    try revive()
    return true
  }

  /// What plays and records, as the server tells it, for messages.
  func clients() throws -> String {
    let told = [
      "Sink Input", "Source Output", "Sink:", "Source:", "Sample Spec", "Corked", "Mute",
      "Volume: ", "application.name", "media.name",
    ]
    let sinks = try server.control(["list", "short", "sinks"]).split(separator: "\n")
    let streams = try ["sink-inputs", "source-outputs"].flatMap {
      try server.control(["list", $0]).split(separator: "\n")
    }.filter { line in told.contains { line.contains($0) } }
    return (sinks + streams).map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "; ")
  }

  /// The streams of players that the server knows.
  func streams() throws -> [SinkInput] {
    let text = try server.control(["-f", "json", "list", "sink-inputs"])
    return try JSONDecoder().decode([SinkInput].self, from: Data(text.utf8))
      .filter { $0.properties["media.name"]?.hasPrefix("chaos") == true }
  }
}
