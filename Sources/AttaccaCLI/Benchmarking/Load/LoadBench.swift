// SPDX-License-Identifier: Apache-2.0

import Attacca
import Glibc

/// Measures what real playback takes of the machine.
struct LoadBench {
  /// Seconds for which playing is watched at each latency.
  var seconds = 10
  var latencies: [LatencyChoice] = LatencyChoice.allCases
  let measuring: Measuring

  /// Seconds that playing has to become steady: the first fill of the server takes a burst of CPU.
  private static let warmUp = 2
  private static let sink = "attacca-load"

  /// Plays once at each latency.
  ///
  /// - Throws: where no server is installed, or a player does not play to its end.
  func measure() throws -> LoadTable {
    defer { measuring.progress.clear() }
    guard let kind = HeadlessServer.Kind.allCases.first(where: { $0.missingPackage == nil })
    else { throw BenchError.noServer }
    measuring.progress.show("load", done: 0, of: total)
    let server = try HeadlessServer(kind)
    try server.makeSink(Self.sink)
    let folder = try BenchFolder()
    // A little more than is watched: a player that nears its end does less.
    let subject = try RenderSubject(.load, seconds: Self.warmUp + seconds + 1, in: folder)
    var table = LoadTable(server: server.description, seconds: seconds)
    for (n, latency) in latencies.enumerated() {
      table.series.append(try measure(latency, n, subject.path.text, on: server, home: folder.path))
    }
    return table
  }

  private var total: Int { latencies.count * (Self.warmUp + seconds) }

  private func measure(
    _ latency: LatencyChoice, _ n: Int, _ path: String, on server: HeadlessServer, home: String
  ) throws(BenchError) -> LoadSeries {
    let process = try PlayingProcess(
      [
        "--output", "pulse", "--device", Self.sink, "--latency", latency.rawValue, path,
      ],
      environment: environment(server, home: home), interruption: measuring.interruption)
    try process.waitUntilHeard()
    let begin = BenchClock.now
    for second in 1...Self.warmUp { wait(until: begin, second, n) }
    var (time, wakeups) = (try processorTime(of: process), ThreadWakeups(of: process.identifier))
    let startProcessor = time
    var readings: [LoadSecond] = []
    for second in 1...seconds {
      wait(until: begin, Self.warmUp + second, n)
      let now = (try processorTime(of: process), ThreadWakeups(of: process.identifier))
      readings.append(LoadSecond(processor: now.0 - time, wakeups: now.1.since(wakeups)))
      (time, wakeups) = now
    }
    let peak = try peakMemory(of: process)
    let end = try process.waitForEnd()
    return LoadSeries(
      latency: latency, seconds: readings, startProcessor: startProcessor, user: end.user,
      system: end.system, peakMemory: peak)
  }

  /// Nothing of the user's own that would change how it plays.
  private func environment(_ server: HeadlessServer, home: String) -> [String: String] {
    var environment = [
      "PATH": LeashedShell.searchPath, "HOME": home, "XDG_RUNTIME_DIR": home, "LC_ALL": "C",
      "PULSE_SERVER": server.address,
    ]
    // Where Swift's libraries are, for a build that does not hold them.
    if let path = getenv("LD_LIBRARY_PATH") {
      environment["LD_LIBRARY_PATH"] = String(cString: path)
    }
    return environment
  }

  private func wait(until begin: Int, _ second: Int, _ n: Int) {
    let time = begin + second * 1_000_000_000
    var end = timespec(tv_sec: time / 1_000_000_000, tv_nsec: time % 1_000_000_000)
    while clock_nanosleep(CLOCK_MONOTONIC, Int32(TIMER_ABSTIME), &end, nil) == EINTR {}
    measuring.progress.show("load", done: n * (Self.warmUp + seconds) + second, of: total)
  }

  private func processorTime(of process: PlayingProcess) throws(BenchError) -> Int {
    guard let time = BenchClock.processor(of: process.identifier) else {
      throw BenchError("attacca play ended before all was measured")
    }
    return time
  }

  private func peakMemory(of process: PlayingProcess) throws(BenchError) -> Int {
    guard let text = ProcFile.text("/proc/\(process.identifier)/status"),
      let line = ProcFile.value(of: "VmHWM", in: text),
      let kibibytes = Int(line.prefix { $0.isNumber })
    else { throw BenchError("the memory of attacca play cannot be read in /proc") }
    return 1_024 * kibibytes
  }
}
