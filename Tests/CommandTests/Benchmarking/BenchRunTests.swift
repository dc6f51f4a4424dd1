// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

struct BenchRunTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func json(_ path: String) throws -> [String: Any] {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  @Test func `help names all measurements`() throws {
    let run = try Attacca("bench", "--help")
    #expect(run.status == 0)
    for command in ["latency", "render", "load", "all"] {
      #expect(run.output.contains("  \(command) "))
    }
  }

  @Test(arguments: [
    ("speed", "Unexpected argument 'speed'"),
    ("render --seconds 0", "--seconds is 1 to 3600, not 0."),
    ("render --runs 0", "--runs is 1 to 1000, not 0."),
    ("load --seconds 3601", "--seconds is 1 to 3600, not 3601."),
    ("load --latency none", "The value 'none' is invalid for '--latency"),
    ("latency --count 0", "--count is 1 or more, not 0."),
    ("latency --fade 1001", "--fade is 0 to 1000 ms, not 1001."),
    ("latency --sink 2ms", "The value '2ms' is invalid for '--sink"),
    ("latency --operations seek,none", "The value 'seek,none' is invalid for '--operations"),
    ("all --html", "Missing value for '--html"),
    ("all --json /nonexistent/report.json", "/nonexistent: No such file or directory"),
    ("all --html /tmp", "/tmp: is a folder, not a file to write"),
    ("render /nonexistent.mp3", "/nonexistent.mp3: not there: "),
    ("render fixtures/broken/text.mp3", "fixtures/broken/text.mp3: not audio: "),
  ])
  func `wrong usage is named on standard error and ends with 1`(
    line: String, complaint: String
  ) throws {
    let run = try Attacca(["bench"] + line.split(separator: " ").map(String.init))
    #expect(run.status == 1)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains(complaint), "\(run.errors)")
  }

  @Test func `every format that can be written is rendered, and timed in each run`() throws {
    let (path, page) = (folder.file("report.json"), folder.file("report.html"))
    let run = try Attacca(
      "bench", "render", "--seconds", "1", "--runs", "2", "--json", path, "--html", page)
    #expect(run.status == 0, "\(run.errors)")
    let render = try #require(try json(path)["render"] as? [String: Any])
    let series = try #require(render["series"] as? [[String: Any]])
    let names = series.compactMap { $0["name"] as? String }
    // What libsndfile always has; the other encoders depend on how it was built.
    for name in ["WAV", "AIFF", "CAF", "FLAC", "FLAC 44.1 → 48 kHz"] {
      #expect(names.contains(name))
      #expect(run.output.contains("\n\(name) "))
    }
    #expect(run.output.contains("not measured: MP3"))
    for one in series {
      #expect(one["frames"] as? Int == 48_000)
      #expect((one["nanoseconds"] as? [Int])?.count == 2)
    }
    #expect(try String(contentsOfFile: page, encoding: .utf8).hasSuffix("</html>\n"))
  }

  @Test func `a file of the user's is rendered at its own rate`() throws {
    let path = folder.file("report.json")
    let run = try Attacca(
      "bench", "render", "fixtures/formats/flac16.flac", "--runs", "1", "--json", path)
    #expect(run.status == 0, "\(run.errors)")
    let render = try #require(try json(path)["render"] as? [String: Any])
    let series = try #require(render["series"] as? [[String: Any]])
    #expect(series.map { $0["frames"] as? Int } == [60_001])
    #expect(series.map { $0["sampleRate"] as? Int } == [44_100])
  }

  @Test func `playing is measured on a server of its own`() throws {
    let path = folder.file("report.json")
    let run = try Attacca("bench", "load", "--seconds", "1", "--latency", "low", "--json", path)
    #expect(run.status == 0, "\(run.errors)")
    let load = try #require(try json(path)["load"] as? [String: Any])
    let series = try #require(load["series"] as? [[String: Any]])
    #expect(series.map { $0["latency"] as? String } == ["low"])
    let one = try #require(series.first)
    let cpu = try #require(one["cpuMicrosecondsPerSecond"] as? Double)
    #expect(cpu > 0 && cpu < 1e6)
    // 60 ms are asked for in pieces: the thread that writes them wakes for each.
    let wakeups = try #require(one["wakeupsPerSecond"] as? [String: Double])
    #expect(try #require(wakeups["mainloop"]) > 10)
    #expect(try #require(wakeups["decoder"]) > 0)
    #expect(try #require(one["peakMemoryBytes"] as? Int) > 1 << 20)
  }

  @Test(arguments: ["rewinding", "norewinds"])
  func `commands are heard on sinks of a server of its own`(sink: String) throws {
    let path = folder.file("report.json")
    // A rewrite that is late is told, and heard without its fade: the report says so, and is repeated.
    var report = try latencies(on: sink, path)
    for _ in 0..<5 where report.table["lateSplices"] as? Int != 0 {
      report = try latencies(on: sink, path)
    }
    let (run, table) = report
    #expect(run.status == 0, "\(run.errors)\(run.output)")
    #expect(table["sink"] as? String == sink)
    #expect(try #require(table["sinkLatency"] as? Int) > 0)
    let series = try #require(table["series"] as? [[String: Any]])
    #expect(series.map { $0["operation"] as? String } == ["seek", "pause"])
    for one in series {
      #expect((one["nanoseconds"] as? [Int])?.count == 2)
      #expect((one["wrong"] as? [String])?.isEmpty == true, "\(one)")
    }
  }

  private func latencies(
    on sink: String, _ path: String
  ) throws -> (run: Attacca, table: [String: Any]) {
    let run = try Attacca(
      "bench", "latency", "--sink", sink, "--operations", "pause,seek", "--count", "2", "--json",
      path)
    return (run, try #require((try json(path)["tables"] as? [[String: Any]])?.first))
  }

  @Test(arguments: ["load", "latency"])
  func `without an installed server it is said what to install`(measurement: String) throws {
    // What temporary folders are taken away with, and nothing else.
    for tool in ["sh", "rm"] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.file(tool), withDestinationPath: "/bin/" + tool)
    }
    let page = folder.file("report.html")
    let run = try Attacca(
      ["bench", measurement, "--html", page], environment: ["PATH": folder.path])
    #expect(run.status == 1)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains("apt-get install pulseaudio"))
    #expect(!FileManager.default.fileExists(atPath: page))
  }

  @Test func `a signal ends the player, the server and their folders`() throws {
    let process = Process()
    process.executableURL = Attacca.program
    process.arguments = ["bench", "load", "--seconds", "600"]
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["TMPDIR": folder.path], uniquingKeysWith: { $1 })
    let errors = Pipe()
    process.standardError = errors
    process.standardOutput = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    // Until the first of the player's words of command can be seen: it then plays.
    let end = Date(timeIntervalSinceNow: 20)
    while try !commandLines().contains(where: { $0.contains("responsive") }) {
      try #require(Date() < end, "no player is seen")
      sched_yield()
    }
    kill(process.processIdentifier, SIGTERM)
    process.waitUntilExit()
    #expect(process.terminationStatus == 4)
    let limit = Date(timeIntervalSinceNow: 10)
    func isLeft() throws -> Bool {
      try !commandLines().isEmpty
        || !FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty
    }
    while try isLeft(), Date() < limit { sched_yield() }
    #expect(try commandLines() == [])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  /// Those of all processes that have to do with the folder.
  private func commandLines() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { id in
      guard Int(id) != nil, let data = FileManager.default.contents(atPath: "/proc/\(id)/cmdline")
      else { return nil }
      let line = String(decoding: data, as: UTF8.self).replacingOccurrences(of: "\0", with: " ")
      return line.contains(folder.path) ? line : nil
    }
  }
}
