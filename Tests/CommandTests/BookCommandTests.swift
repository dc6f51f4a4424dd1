// SPDX-License-Identifier: Apache-2.0

import Foundation
import SampleBuffers
import SoundFiles
import TestFixtures
import Testing

/// What is left out of books: intros, outros and silences.
@Suite struct BookCommandTests {
  private struct Bookmark: Decodable {
    struct Time: Decodable {
      let value, timescale: Int64
      var seconds: Double { Double(value) / Double(timescale) }
    }
    let path: String
    let start, position: Time
    let finished: Bool
  }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func attacca(_ arguments: [String]) throws -> Attacca {
    try Attacca(arguments, environment: ["XDG_STATE_HOME": folder.file("state")])
  }

  private func bookmarks() throws -> [Bookmark] {
    let run = try attacca(["bookmarks", "--json"])
    #expect(run.status == 0, "\(run.errors)")
    return try JSONDecoder().decode([Bookmark].self, from: Data(run.output.utf8))
      .sorted { $0.path < $1.path }
  }

  /// A file of one channel at 48,000 Hz, in which loud frames name themselves and all others are zero.
  private func book(_ name: String, frames: Int, silent: Range<Int> = 0..<0) throws -> String {
    let path = folder.file(name)
    try FileManager.default.createDirectory(
      atPath: URL(fileURLWithPath: path).deletingLastPathComponent().path,
      withIntermediateDirectories: true)
    let writer = try SoundFileWriter(
      path: path, format: AudioFormat(sampleRate: 48_000, layout: .mono),
      fileType: WrittenFileType(container: .wav, sampleFormat: .float32))
    let samples = (0..<frames).map { silent.contains($0) ? 0 : Self.sample($0) }
    try samples.withUnsafeBufferPointer { try writer.write($0) }
    try writer.finish()
    return path
  }

  private static func sample(_ frame: Int) -> Float { 0.25 + Float(frame) / Float(1 << 20) }

  private func samples(_ path: String) throws -> [Float] {
    let file = try SoundFile(path: path, pool: FramePool())
    var samples: [Float] = []
    while let chunk = try file.read(frames: 65_536) {
      samples.append(
        contentsOf: UnsafeBufferPointer(start: chunk.storage.samples, count: chunk.frameCount))
    }
    return samples
  }

  @Test(arguments: ["render", "play"], [[], ["--speed", "-1"]])
  func `a file has silences shortened, and how much was left out is told`(
    command: String, options: [String]
  ) throws {
    let book = try book("book.wav", frames: 96_000, silent: 24_000..<72_000)
    let path = folder.file("a.wav")
    let run = try attacca(
      [command, book, command == "play" ? "--output" : "-o", path, "--skip-silence"] + options)
    // Of a second Media3 leaves out 37,440 frames at this rate.
    #expect(run.errors == "attacca: 0:00:00.780 of silence left out\n")
    #expect(run.status == 0)
    let heard = try samples(path)
    #expect(heard.count == 96_000 - 37_440)
    let loud = (Array(0..<24_000) + Array(72_000..<96_000)).map(Self.sample)
    #expect(heard.filter { $0 != 0 } == (options.isEmpty ? loud : loud.reversed()))
  }

  @Test func `of a silence so much is kept as was asked for, of levels that were`() throws {
    let book = try book("book.wav", frames: 96_000, silent: 24_000..<72_000)
    let path = folder.file("a.wav")
    let render = ["render", book, "-o", path, "--force", "--skip-silence"]
    // Half of the shortest silence stays at either end.
    _ = try attacca(render + ["--silence-kept", "0", "--silence-minimum", "100"])
    #expect(try samples(path).count == 48_000 + 4_800)
    _ = try attacca(render + ["--silence-minimum", "1001"])
    #expect(try samples(path).count == 96_000)
    // All of it is below full scale.
    _ = try attacca(render + ["--silence-kept", "0", "--silence-threshold", "0"])
    #expect(try samples(path).count == 1_200)
    let refused = try attacca(["render", book, "-o", path, "--silence-kept", "0"])
    #expect(refused.errors.contains("Silences are shortened by --skip-silence, which is missing."))
  }

  @Test func `a fade to sleep is as long in the file, whatever is left out of it`() throws {
    let inputs = [
      try book("1.wav", frames: 144_000, silent: 72_000..<120_000),
      try book("2.wav", frames: 48_000),
    ]
    let run = try attacca(
      ["play", "--resume", "--output", "null", "--skip-silence", "--sleep", "item"]
        + ["--sleep-fade", "1s"] + inputs)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output == "1 of 2: \(inputs[0])\n")
    #expect(run.errors == "attacca: 0:00:00.780 of silence left out\n")
    let bookmark = try #require(try bookmarks().first)
    #expect(bookmark.position.seconds == 2)
    #expect(!bookmark.finished)
  }

  @Test func `a file as output is what would be heard, without intro and outro`() throws {
    let book = try book("book.wav", frames: 96_000)
    let path = folder.file("a.wav")
    let run = try attacca(
      ["play", "--output", path, "--skip-intro", "0.25", "--skip-outro", "0.5", book])
    #expect(run.errors.isEmpty)
    #expect(try samples(path) == (12_000..<72_000).map(Self.sample))
  }

  @Test func `an intro and an outro are remembered of the book`() throws {
    _ = try book("book/1.wav", frames: 48_000)
    _ = try book("book/2.wav", frames: 48_000)
    let play = ["play", "--resume", "--output", "null", folder.file("book")]
    let first = try attacca(
      play + ["--skip-intro", "0.25", "--skip-outro", "0.5", "--sleep", "item"])
    #expect(first.status == 0, "\(first.errors)")
    // The second file, by what is remembered.
    let second = try attacca(play)
    #expect(second.output == "2 of 2: \(folder.file("book/2.wav"))\n")
    for bookmark in try bookmarks() {
      #expect(bookmark.finished)
      #expect(bookmark.start.seconds == 0.25)
      #expect(bookmark.position.seconds == 0.25)
    }
    #expect(try bookmarks().count == 2)
  }
}
