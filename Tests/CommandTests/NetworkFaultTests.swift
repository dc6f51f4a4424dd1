// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestFixtures
import Testing

/// Runs whose processes are killed while they load, and what the next ones find.
@Suite struct NetworkFaultTests {
  private let server = RangeServer.shared
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func start(_ arguments: [String]) throws -> Process {
    let process = Process()
    process.executableURL = Attacca.program
    process.arguments = arguments
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  private var environment: [String: String] {
    ProcessInfo.processInfo.environment.merging(["XDG_CACHE_HOME": folder.path]) { $1 }
  }

  @Test(.timeLimit(.minutes(2)))
  func `what a run that was killed has loaded is not sent to the next one`() throws {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: Fixtures.path("album/03 wav.wav")))
    try server.put(Array(bytes), "killed.wav")
    let address = server.address("throttled=400000", "killed.wav")
    let first = try start(["render", "--cache", "-o", folder.file("first.wav"), address])
    // A block of 64 kB has its digest in the table behind the head.
    let cache = folder.path + "/attacca/http"
    while first.isRunning {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: cache)) ?? []
      let file = names.first.flatMap { FileHandle(forReadingAtPath: "\(cache)/\($0)") }
      try file?.seek(toOffset: 4_096)
      if let digest = try file?.read(upToCount: 16), digest.contains(where: { $0 != 0 }) { break }
      usleep(1_000)
    }
    kill(first.processIdentifier, SIGKILL)
    first.waitUntilExit()
    let mode = "throttled=400000"
    let before = try (server.answers(mode, "killed.wav"), server.requests(mode, "killed.wav"))
    let run = try Attacca(
      ["render", "--cache", "-o", folder.file("second.wav"), address],
      environment: ["XDG_CACHE_HOME": folder.path])
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      firstDifference(
        try Fixtures.samples(at: folder.file("second.wav")),
        try Fixtures.samples("album/03 wav.wav")) == nil)
    let answers = try server.answers(mode, "killed.wav").dropFirst(before.0.count)
    #expect(answers.first == "304 0" && !answers.contains { $0.hasPrefix("200") }, "\(answers)")
    let asked = try server.requests(mode, "killed.wav").dropFirst(before.1.count)
      .compactMap { $0.split(separator: "=").last?.split(separator: "-").first.flatMap { Int($0) } }
    #expect(!asked.isEmpty && asked.allSatisfy { $0 >= 64 << 10 }, "\(asked)")
  }

  /// Puts the fixture on the server as ALAC: a file, or a stream of segments.
  private func serve(_ name: String) throws {
    let isStream = name.hasSuffix(".m3u8")
    let form =
      isStream
      ? ["-f", "hls", "-hls_time", "1", "-hls_list_size", "0", "-hls_playlist_type", "vod"]
        + ["-hls_segment_type", "fmp4", "-hls_fmp4_init_filename", "killed-init.mp4"]
        + ["-hls_segment_filename", "\(server.folder)/killed-%d.m4s"]
      : ["-movflags", "faststart"]
    try Tool.run(
      "ffmpeg",
      ["-v", "error", "-y", "-i", Fixtures.path("cut/uncut.flac"), "-c:a", "alac"] + form
        + ["\(server.folder)/\(name)"])
    try server.put(
      Array(Data(contentsOf: URL(fileURLWithPath: Fixtures.path("cut/01.flac")))), "after.flac")
  }

  @Test(.timeLimit(.minutes(2)), arguments: ["killed.m4a", "killed.m3u8"])
  func `decoders that are killed in the midst of what is on a network cost no frame`(
    name: String
  ) throws {
    try serve(name)
    // Of 0.9 MB, or each of its segments as a file.
    let (mode, output) = ("throttled=450000", folder.file("heard.wav"))
    let run = try start(
      ["render", "-o", output, server.address(mode, name)]
        + [server.address("ranges", "after.flac")])
    var (killed, written) = (Set<pid_t>(), 0)
    while run.isRunning, killed.count < 3 {
      // One that ends before it has decoded anything is taken for the file's fault: of 4.6 MB, most of a megabyte may be
      // decoded and not written yet.
      let size = try writtenBytes
      if size > written + 1_000_000 {
        for process in decoders(of: run.processIdentifier) where !killed.contains(process) {
          kill(process, SIGKILL)
          (written, _) = (size, killed.insert(process))
        }
      }
      usleep(1_000)
    }
    run.waitUntilExit()
    #expect(run.terminationStatus == 0)
    #expect(killed.count > 1)
    #expect(decoders(of: run.processIdentifier).isEmpty)
    let left = FileManager.default.enumerator(atPath: folder.path + "/attacca")?.allObjects ?? []
    #expect(left.isEmpty, "\(left)")
    let expected = try Fixtures.samples("cut/uncut.flac") + Fixtures.samples("cut/01.flac")
    #expect(firstDifference(try Fixtures.samples(at: output), expected) == nil)
  }

  /// Bytes of what is rendered, under its temporary name.
  private var writtenBytes: Int {
    get throws {
      let name = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        .first { $0.hasPrefix("heard.wav") }
      let file = name.flatMap { FileHandle(forReadingAtPath: folder.file($0)) }
      return try file.map { Int(try $0.seekToEnd()) } ?? 0
    }
  }

  /// Processes that decode for `program`: children of its own child.
  private func decoders(of program: pid_t) -> [pid_t] {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    var parents: [pid_t: pid_t] = [:]
    for process in all.compactMap(pid_t.init) {
      guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
        text.contains("(attacca-decode"), let end = text.lastIndex(of: ")")
      else { continue }
      parents[process] = text[end...].split(separator: " ").dropFirst(2).first.flatMap {
        pid_t($0)
      }
    }
    return parents.filter { parents[$0.value] == program }.map(\.key)
  }
}
