// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestFixtures
import TestSeeds
import Testing

@Suite struct ResumeTests {
  private struct Bookmark: Decodable {
    struct Time: Decodable {
      let value, timescale: Int64
      var seconds: Double { Double(value) / Double(timescale) }
    }
    let path: String
    let position: Time
    let finished: Bool
    let rate: Double
  }

  private let folder: TemporaryFolder
  private let environment: [String: String]

  init() throws {
    folder = try TemporaryFolder()
    environment = ["XDG_STATE_HOME": folder.file("state")]
  }

  private func attacca(
    _ arguments: String..., signal: Int32? = nil, afterLines lines: Int = 1
  ) throws -> Attacca {
    try Attacca(arguments, signal: signal, afterLines: lines, environment: environment)
  }

  private func bookmarks() throws -> [Bookmark] {
    let run = try attacca("bookmarks", "--json")
    #expect(run.status == 0, "\(run.errors)")
    return try JSONDecoder().decode([Bookmark].self, from: Data(run.output.utf8))
  }

  @Test func `an input goes on where it was left, and a finished one with what follows it`() throws
  {
    let inputs = ["fixtures/cut/05.flac", "fixtures/cut/06.wav"]
    let whole = try attacca("play", "--resume", "--output", "null", inputs[0])
    #expect(whole.status == 0, "\(whole.errors)")
    #expect(try bookmarks().map(\.finished) == [true])
    let next = try attacca("play", "--resume", "--output", "null", inputs[0], inputs[1])
    #expect(next.output == "2 of 2: \(inputs[1])\n")
    #expect(try bookmarks().map(\.finished) == [true, true])
    let text = try attacca("bookmarks").output.split(separator: "\n")
    #expect(text.map { $0.hasPrefix("finished  /") } == [true, true])
    #expect(try attacca("bookmarks", "--remove", inputs[0]).status == 0)
    #expect(try bookmarks().count == 1)
    #expect(try attacca("bookmarks", "--remove-all").status == 0)
    #expect(try bookmarks().isEmpty)
  }

  @Test func `the list goes on without an input`() throws {
    let none = try attacca("play", "--resume", "--output", "null")
    #expect(none.status == 2)
    #expect(none.errors.contains("no list was played with --resume before"))
    // Long enough for a signal that comes late on a busy machine.
    let long = folder.file("long.wav")
    let made = try attacca(
      "render", "--speed", "0.1", "--pitch", "follow", "-o", long, "fixtures/album/01 flac.flac")
    #expect(made.status == 0, "\(made.errors)")
    let first = try attacca(
      "play", "--resume", "--output", "null", "fixtures/cut/06.wav", long, "fixtures/cut/05.flac",
      signal: SIGTERM, afterLines: 2)
    #expect(first.status == 4)
    let second = try attacca("play", "--resume", "--output", "null", "--speed", "20")
    #expect(second.status == 0, "\(second.errors)")
    #expect(
      second.output.split(separator: "\n").map { $0.prefix(6) } == ["2 of 3", "3 of 3"])
  }

  @Test func `the sleep timer ends the program, and what it faded is heard again`() throws {
    let inputs = ["fixtures/formats/flac16.flac", "fixtures/cut/06.wav"]
    let first = try attacca(
      "play", "--resume", "--output", "null", "--sleep", "item", "--sleep-fade", "1s", inputs[0],
      inputs[1])
    #expect(first.status == 0, "\(first.errors)")
    #expect(first.output == "1 of 2: \(inputs[0])\n")
    let bookmark = try #require(try bookmarks().first)
    // 60,001 frames without a second.
    #expect(bookmark.position.value == 15_901)
    #expect(!bookmark.finished)
  }

  @Test func `backwards what follows a finished item is the one before it`() throws {
    let inputs = ["fixtures/cut/05.flac", "fixtures/cut/06.wav"]
    let first = try attacca("play", "--resume", "--output", "null", "--speed", "-1", inputs[1])
    #expect(first.status == 0, "\(first.errors)")
    let second = try attacca("play", "--resume", "--output", "null", inputs[0], inputs[1])
    #expect(second.output == "1 of 2: \(inputs[0])\n")
  }

  @Test func `a speed and an order that are asked for count more than what was saved`() throws {
    let long = folder.file("long.wav")
    let made = try attacca(
      "render", "--speed", "0.1", "--pitch", "follow", "-o", long, "fixtures/album/01 flac.flac")
    #expect(made.status == 0, "\(made.errors)")
    let inputs = ["fixtures/cut/05.flac", long, "fixtures/cut/06.wav"]
    let first = try attacca(
      "play", "--resume", "--output", "null", "--speed", "1.5", inputs[0], inputs[1], inputs[2],
      signal: SIGTERM, afterLines: 2)
    #expect(first.status == 4, "\(first.errors)")
    for seed in ["1", "2", "3"] {
      let run = try attacca(
        "play", "--resume", "--output", "null", "--shuffle", seed, "--speed", "1", inputs[0],
        inputs[1], inputs[2], signal: SIGTERM)
      #expect(run.output.hasPrefix("1 of 3: "))
      #expect(run.output.contains(inputs[1]))
    }
    #expect(try bookmarks().map(\.rate).max() == 1.5)
    #expect(try bookmarks().first { $0.path.hasSuffix("long.wav") }?.rate == 1)
  }

  @Test func `what is killed at any moment goes on, never behind where it was`() throws {
    var random = SplitMix64()
    print("killed at random moments, SEED=\(random.seed)")
    var (last, began) = (0.0, Date())
    let long = folder.file("long.wav")
    let made = try attacca(
      "render", "--speed", "0.1", "--pitch", "follow", "-o", long, "fixtures/album/01 flac.flac")
    #expect(made.status == 0, "\(made.errors)")
    for round in 0..<10 {
      let process = Process()
      process.executableURL = Attacca.program
      process.arguments = ["play", "--resume", "--output", "null", long]
      process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
      (process.standardOutput, process.standardError) = (
        FileHandle.nullDevice, FileHandle.nullDevice
      )
      began = Date()
      try process.run()
      if round < 9 {
        Thread.sleep(forTimeInterval: Double.random(in: 0...1.6, using: &random))
      } else {
        // The last one is given the time to get on, a minute at most.
        let limit = Date(timeIntervalSinceNow: 60)
        while try bookmarks().first?.position.seconds ?? 0 <= last, Date() < limit {}
      }
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      let most = last + Date().timeIntervalSince(began)
      let now = try bookmarks().first?.position.seconds ?? 0
      #expect(
        now <= most && now >= last, "round \(round): \(now) s behind \(last) s, \(most) at most")
      if round == 9 { #expect(now > last) }
      last = now
    }
  }

  @Test func `a damaged store is named, and where it is resumed or kept nothing else happens`()
    throws
  {
    let store = folder.file("state/attacca/bookmarks.sqlite")
    try FileManager.default.createDirectory(
      atPath: folder.file("state/attacca"), withIntermediateDirectories: true)
    try Data(repeating: 7, count: 9_000).write(to: URL(fileURLWithPath: store))
    for run in [
      try attacca("bookmarks"),
      try attacca("play", "--resume", "--output", "null", "fixtures/cut/05.flac"),
    ] {
      #expect(run.status == 1)
      #expect(run.errors.contains("\(store): is not a store of bookmarks, or is damaged"))
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: store)).count == 9_000)
  }
}
