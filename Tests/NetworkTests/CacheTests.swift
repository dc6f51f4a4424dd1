// SPDX-License-Identifier: Apache-2.0

import Attacca
import CFaults
import Foundation
import SoundFiles
import TestFixtures
import Testing

@testable import AttaccaNetwork

/// Files that are kept for later runs: each source here is one of a run of its own.
@Suite("A cache of what servers send") struct CacheTests {
  let server = RangeServer.shared
  let folder: TemporaryFolder
  private static let path = "album/03 wav.wav"

  init() throws { folder = try TemporaryFolder() }

  private func options(limit: Int64 = 1 << 30) -> HTTPOptions {
    var options = HTTPOptions()
    options.cache = HTTPCache(folder: folder.path, sizeLimit: limit)
    return options
  }

  private func source(
    _ mode: String, _ name: String, _ options: HTTPOptions? = nil
  ) throws -> HTTPSource {
    try #require(HTTPSource(server.address(mode, name), options: options ?? self.options()))
  }

  /// Puts a fixture there under a name of the test's.
  private func serve(_ name: String, _ path: String = path) throws -> Int {
    let bytes = try TemporaryFolder.bytes(of: path)
    try server.put(bytes, name)
    return bytes.count
  }

  private func expect(_ source: HTTPSource, _ path: String = path) async throws {
    let heard = try await Heard.of(source)
    #expect(heard.error == nil)
    #expect(firstDifference(heard.samples, try Fixtures.samples(path)) == nil)
  }

  /// Paths of the files of the cache.
  private func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.count == 32 }
      .map { "\(folder.path)/\($0)" }
  }

  /// Waits until nobody reads what is kept any more, but for `held`: a source that is let go is closed by another thread.
  private func letGo(but held: [String] = []) async throws {
    for path in try files() where !held.contains(path) {
      let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
      while flock(file.fileDescriptor, LOCK_EX | LOCK_NB) != 0 { await Task.yield() }
      // A process that another test starts just now has the descriptor until it runs its program, and the lock with it.
      flock(file.fileDescriptor, LOCK_UN)
    }
  }

  @Test(arguments: ["kept", "dated"])
  func `a file that has not changed is sent once`(mode: String) async throws {
    let size = try serve("once-\(mode).wav")
    for _ in 0..<3 { try await expect(try source(mode, "once-\(mode).wav")) }
    #expect(try server.answers(mode, "once-\(mode).wav") == ["200 \(size)", "304 0", "304 0"])
    // Whoever has no cache asks for all of it.
    try await expect(try source(mode, "once-\(mode).wav", HTTPOptions()))
    #expect(try server.answers(mode, "once-\(mode).wav").last == "200 \(size)")
  }

  @Test func `a file that was changed on the server is sent anew, and then that one kept`()
    async throws
  {
    let first = try serve("changes.wav")
    try await expect(try source("kept", "changes.wav"))
    let other = "album/04 aiff.aiff"
    let second = try serve("changes.wav", other)
    for _ in 0..<2 { try await expect(try source("kept", "changes.wav"), other) }
    #expect(
      try server.answers("kept", "changes.wav") == ["200 \(first)", "200 \(second)", "304 0"])
    #expect(try files().count == 1)
  }

  @Test(.timeLimit(.minutes(2)))
  func `of what was left in the midst the rest alone is asked for`() async throws {
    let size = try serve("left.wav")
    let mode = "throttled=300000"
    let reader = try await source(mode, "left.wav").open()
    // More than a block of 64 kB, and less than the file.
    #expect(Heard.reading(reader, count: 60_000).samples.count >= 60_000)
    reader.cancel()
    try await expect(try source(mode, "left.wav"))
    let answers = try server.answers(mode, "left.wav")
    #expect(answers.prefix(2) == ["200 \(size)", "304 0"], "\(answers)")
    let rest = answers.dropFirst(2).compactMap { Int($0.dropFirst(4)) }.reduce(0, +)
    #expect(rest > 0 && rest <= size - (64 << 10), "\(answers)")
    #expect(answers.dropFirst(2).allSatisfy { $0.hasPrefix("206 ") })
  }

  enum Damage: CaseIterable { case zeros, table, shorter, head, empty }

  @Test(arguments: Damage.allCases)
  func `what a crash has left of a file is not heard`(damage: Damage) async throws {
    let size = try serve("torn-\(damage).wav")
    try await expect(try source("kept", "torn-\(damage).wav"))
    let path = try #require(try files().first)
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    let end = try file.seekToEnd()
    switch damage {
    case .zeros:
      // Blocks that were never written: of six the third.
      try file.seek(toOffset: end - UInt64(size) + 150_000)
      try file.write(contentsOf: Data(count: 4_096))
    case .table:
      try file.seek(toOffset: 4_096 + 16)
      try file.write(contentsOf: Data(count: 16))
    case .shorter: try file.truncate(atOffset: end - 1)
    case .head: try file.write(contentsOf: Data("attacca-cache 7".utf8))
    case .empty: try file.truncate(atOffset: 0)
    }
    try file.close()
    for _ in 0..<2 { try await expect(try source("kept", "torn-\(damage).wav")) }
    let answers = try server.answers("kept", "torn-\(damage).wav")
    switch damage {
    case .zeros, .table:
      #expect(answers == ["200 \(size)", "304 0", "206 65536", "304 0"], "\(answers)")
    case .shorter, .head, .empty:
      #expect(answers == ["200 \(size)", "200 \(size)", "304 0"], "\(answers)")
    }
  }

  @Test(.timeLimit(.minutes(2)))
  func `two who load the same at once hear the same, and one file is kept`() async throws {
    let size = try serve("both.wav")
    let mode = "throttled=500000"
    async let one = Heard.of(try source(mode, "both.wav"))
    async let two = Heard.of(try source(mode, "both.wav"))
    let expected = try Fixtures.samples(Self.path)
    for heard in try await [one, two] {
      #expect(heard.error == nil && firstDifference(heard.samples, expected) == nil)
    }
    #expect(try files().count == 1)
    try await expect(try source(mode, "both.wav"))
    let answers = try server.answers(mode, "both.wav")
    #expect(answers.last == "304 0" && answers.first == "200 \(size)", "\(answers)")
  }

  @Test func `what was used longest ago gives way, and what is read stays`() async throws {
    let size = try ["a", "b", "c"].map { try serve("limit-\($0).wav") }[0]
    let limit = Int64(size * 5 / 2)
    for name in ["a", "b", "a", "c", "b", "a"] {
      try await expect(try source("kept", "limit-\(name).wav", options(limit: limit)))
      try await letGo()
    }
    // b gave way to c, then a to b, and c to a.
    let answers = try ["a", "b", "c"].map { try server.answers("kept", "limit-\($0).wav") }
    let (all, none) = ("200 \(size)", "304 0")
    #expect(answers == [[all, none, all], [all, all], [all]], "\(answers)")
    let sum = try files().reduce(Int64(0)) { sum, path in
      sum + Int64(try FileHandle(forReadingFrom: URL(fileURLWithPath: path)).seekToEnd())
    }
    #expect(sum <= limit)
    // A file of somebody's own is not the cache's.
    let own = try folder.file("new-report.txt", [1, 2, 3])
    let reader = try await source("kept", "limit-a.wav", options(limit: limit)).open()
    HTTPCache(folder: folder.path).removeAll()
    #expect(try files().count == 1)
    reader.cancel()
    #expect(FileManager.default.fileExists(atPath: own))
    // One that is larger than all that there may be is not kept, and nothing goes for it.
    try await expect(try source("kept", "limit-b.wav", options(limit: 1_000)))
    #expect(try files().count == 1)
  }

  @Test func `what somebody has just read was used later than what came meanwhile`() async throws {
    let size = try ["read", "meanwhile", "third"].map { try serve("used-\($0).wav") }[0]
    let limited = options(limit: Int64(size * 5 / 2))
    try await expect(try source("kept", "used-read.wav", limited))
    try await letGo()
    let held = try files()
    do {
      let reader = try await source("kept", "used-read.wav", limited).open()
      try await expect(try source("kept", "used-meanwhile.wav", limited))
      try await letGo(but: held)
      withExtendedLifetime(reader) {}
    }
    try await letGo()
    try await expect(try source("kept", "used-third.wav", limited))
    try await letGo()
    try await expect(try source("kept", "used-read.wav", limited))
    #expect(try server.answers("kept", "used-read.wav") == ["200 \(size)", "304 0", "304 0"])
  }

  // The system's own times were the same for two files of one tick, and the wrong one gave way.
  @Test func `of two that are used one right behind the other the first gives way`() async throws {
    let folder = CacheFolder(HTTPCache(folder: folder.path))
    let names = (0..<100).map { index in
      "\(self.folder.path)/" + String(repeating: "0", count: 30) + String(format: "%02x", index)
    }
    for name in names { close(try #require(folder.create(name, size: 1, head: [1]))) }
    for name in names.reversed() { close(try #require(folder.open(name))) }
    let times = names.reversed().map { name in
      var status = stat()
      lstat(name, &status)
      return Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
    }
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test func `on a full disk what is kept gives way, and what is played plays on`() async throws {
    let size = try (serve("full-old.wav"), serve("full.wav")).1
    try await expect(try source("kept", "full-old.wav"))
    // What somebody has open does not give way: on a busy machine that was the case.
    try await letGo()
    let path = folder.path
    full_disk_set(path, 150_000)
    defer { full_disk_set(nil, 0) }
    try await expect(try source("kept", "full.wav"))
    #expect(try files().count == 1)
    // What there was room for is kept; the rest is asked for.
    full_disk_set(nil, 0)
    try await expect(try source("kept", "full.wav"))
    let answers = try server.answers("kept", "full.wav")
    let rest = answers.dropFirst(2).compactMap { Int($0.dropFirst(4)) }.reduce(0, +)
    #expect(answers.prefix(2) == ["200 \(size)", "304 0"], "\(answers)")
    #expect(rest > 0 && rest <= size - (64 << 10), "\(answers)")
  }

  @Test func `where nothing can be kept all is heard`() async throws {
    _ = try serve("nowhere.wav")
    var options = HTTPOptions()
    options.cache = HTTPCache(folder: "/proc/attacca")
    try await expect(try source("kept", "nowhere.wav", options))
  }

  @Test(arguments: ["unstored", "untagged", "none", "close"])
  func `what the server forbids to keep, or cannot be asked about, is not kept`(
    mode: String
  ) async throws {
    _ = try serve("not-\(mode).wav")
    try await expect(try source(mode, "not-\(mode).wav"))
    #expect(try files() == [])
  }

  @Test func `for another user it is another file`() async throws {
    let size = try serve("users.wav")
    var other = options()
    other.authorization = .bearer("token")
    for options in [options(), other, other] {
      try await expect(try source("kept", "users.wav", options))
    }
    #expect(try server.answers("kept", "users.wav") == ["200 \(size)", "200 \(size)", "304 0"])
    let text = try files().map {
      String(decoding: try TemporaryFolder.bytes(at: $0), as: UTF8.self)
    }
    #expect(!text.contains { $0.contains("token") })
  }

  @Test func `without a network what is kept as a whole is heard`() async throws {
    var gone: RangeServer? = try RangeServer()
    try gone?.put(try TemporaryFolder.bytes(of: Self.path), "gone.wav")
    let address = try #require(gone?.address("kept", "gone.wav"))
    try await expect(try #require(HTTPSource(address, options: options())))
    gone = nil
    try await expect(try #require(HTTPSource(address, options: options())))
    let other = try #require(HTTPSource(address))
    await #expect(throws: SoundFileError.self) { try await other.open() }
  }
}
