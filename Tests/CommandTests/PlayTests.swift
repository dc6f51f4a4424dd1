// SPDX-License-Identifier: Apache-2.0

import Foundation
import SampleBuffers
import SoundFiles
import TestFixtures
import Testing

struct PlayTests {
  private static let short = "fixtures/formats/flac-100-frames.flac"

  @Test func `without a terminal each item is a line, and nothing else is`() throws {
    let run = try Attacca(
      "play", "--output", "null", "fixtures/formats/flac-100-frames.flac",
      "fixtures/broken/text.mp3", "fixtures/cut/05.flac")
    #expect(
      run.output == """
        1 of 3: fixtures/formats/flac-100-frames.flac
        3 of 3: fixtures/cut/05.flac

        """)
    #expect(run.errors.hasPrefix("fixtures/broken/text.mp3: not audio: "))
    #expect(run.errors.split(separator: "\n").count == 1)
    #expect(run.status == 3)
  }

  @Test(arguments: ["play", "render"])
  func `of 300 missing files in a row twenty have a line, and the others one`(command: String)
    throws
  {
    let folder = try TemporaryFolder()
    let good = Fixtures.path("cut/05.flac")
    let list = (0..<300).map { "missing \($0).flac" } + [good]
    try Data(list.joined(separator: "\n").utf8)
      .write(to: URL(fileURLWithPath: folder.file("list.m3u8")))
    let output =
      command == "play" ? ["--output", "null"] : ["--speed", "2", "-o", folder.file("a.wav")]
    let run = try Attacca([command] + output + [folder.file("list.m3u8")])
    let lines = run.errors.split(separator: "\n")
    #expect(lines.prefix(20).allSatisfy { $0.contains("missing ") })
    #expect(lines.contains("280 more in a row cannot be played"))
    #expect(lines.count == 21, "\(run.errors)")
    #expect(run.status == 3)
  }

  @Test func `a title is shown with its artist`() throws {
    let run = try Attacca(
      "play", "--output", "null", "--start", "0:01.6", "fixtures/album/02 flac24.flac")
    #expect(
      run.output
        == "1 of 1: The Attacca Fixtures – Déjà entendu (fixtures/album/02 flac24.flac)\n")
    #expect(run.status == 0)
  }

  @Test(arguments: ["keep", "follow"])
  func `a list is played to its end at another speed`(pitch: String) throws {
    let run = try Attacca(
      "play", "--output", "null", "--speed", "4", "--pitch", pitch, "fixtures/album/02 flac24.flac",
      "fixtures/cut/05.flac")
    #expect(run.output.split(separator: "\n").count == 2)
    #expect(run.errors.isEmpty)
    #expect(run.status == 0)
  }

  @Test func `backwards the last item is the first one`() throws {
    let run = try Attacca(
      "play", "--output", "null", "--speed", "-1", "fixtures/cut/05.flac", Self.short)
    #expect(run.output == "2 of 2: \(Self.short)\n1 of 2: fixtures/cut/05.flac\n")
    #expect(run.errors.isEmpty)
    #expect(run.status == 0)
  }

  @Test func `with nothing playable the status is 2`() throws {
    let run = try Attacca("play", "--output", "null", "fixtures/broken/text.mp3")
    #expect(run.output.isEmpty)
    #expect(run.status == 2)
  }

  @Test(arguments: ["0.2", "1:00"])
  func `a start at the end of the only item, or past it, is told with its length`(start: String)
    throws
  {
    let (folder, path) = (try TemporaryFolder(), "fixtures/cut/05.flac")
    let asked = start == "0.2" ? "0:00:00.200" : "0:01:00.000"
    for output in ["null", folder.file("a.wav")] {
      let run = try Attacca("play", "--output", output, "--start", start, path)
      #expect(run.output.isEmpty)
      #expect(
        run.errors == "\(path): nothing to play from \(asked) on: it is 0:00:00.200 long\n")
      #expect(run.status == 2)
    }
  }

  @Test func `a start past the end of the first item plays the second, and says nothing`() throws {
    let run = try Attacca(
      "play", "--output", "null", "--start", "1:00", "fixtures/cut/05.flac",
      "fixtures/formats/flac-100-frames.flac")
    #expect(run.output == "2 of 2: fixtures/formats/flac-100-frames.flac\n")
    #expect(run.errors.isEmpty)
    #expect(run.status == 0)
  }

  @Test func `a shuffled list is each item once, in an order that the number decides`() throws {
    let paths = ["fixtures/cut/05.flac"] + Array(repeating: Self.short, count: 7)
    let play = ["play", "--output", "null", "--shuffle"]
    let (run, again) = (try Attacca(play + ["3"] + paths), try Attacca(play + ["3"] + paths))
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 8 && lines.filter { $0.hasSuffix("05.flac") }.count == 1)
    #expect(!lines[0].hasSuffix("05.flac"))
    #expect(run.output == again.output)
    #expect(run.status == 0)
  }

  @Test func `without a number the order is another one each time`() throws {
    let paths = ["fixtures/cut/05.flac"] + Array(repeating: Self.short, count: 15)
    let orders = try (0..<6).map { _ in
      let run = try Attacca(["play", "--output", "null", "--shuffle"] + paths)
      #expect(run.errors.isEmpty)
      #expect(run.status == 0)
      let lines = run.output.split(separator: "\n")
      #expect(lines.count == 16)
      return lines.firstIndex { $0.hasSuffix("05.flac") }
    }
    // The same place six times by chance: once in a million.
    #expect(Set(orders).count > 1)
  }

  @Test func `what is repeated begins again until it is told to end`() throws {
    let play = ["play", "--output", "null", "fixtures/cut/05.flac", Self.short, "--repeat"]
    let all = try Attacca(play + ["all"], signal: SIGINT, afterLines: 5)
    let (first, second) = ("1 of 2: fixtures/cut/05.flac\n", "2 of 2: \(Self.short)\n")
    #expect(all.output.hasPrefix(first + second + first + second + first))
    #expect(all.status == 4)
  }

  @Test(arguments: [["--repeat", "one"], ["--shuffle", "3"]])
  func `a file is written of the list as it is`(option: [String]) throws {
    let folder = try TemporaryFolder()
    let run = try Attacca(["play", "--output", folder.file("a.wav"), Self.short] + option)
    #expect(run.errors.contains("--repeat and --shuffle are for playing, not for a file."))
    #expect(run.status == 1)
    #expect(!FileManager.default.fileExists(atPath: folder.file("a.wav")))
  }

  @Test func `without a server auto plays in silence and says so`() throws {
    let run = try Attacca("play", "fixtures/formats/flac-100-frames.flac")
    #expect(run.errors.contains("no sound server answers there"))
    #expect(run.errors.hasSuffix("; playing in silence\n"), "\(run.errors)")
    #expect(run.errors.split(separator: "\n").count == 1)
    #expect(run.status == 0)
  }

  @Test func `without a server pulse is refused with 1`() throws {
    let run = try Attacca("play", "--output", "pulse", "fixtures/cut/05.flac")
    #expect(run.errors.contains("no sound server answers"))
    #expect(run.status == 1)
  }

  private static func endByDefault(_ number: Int32) { signal(number, SIG_DFL) }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `a signal ends it with 4`(signal: Int32) throws {
    // Who starts the tests in the background may have SIGHUP ignored, which the program would take over.
    Self.endByDefault(signal)
    let run = try Attacca(
      ["play", "--output", "null", "fixtures/album-uncut.flac"], signal: signal)
    #expect(run.output == "1 of 1: fixtures/album-uncut.flac\n")
    #expect(run.errors.isEmpty)
    #expect(run.status == 4)
  }

  @Test func `a file as output gets what would be heard`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.wav")
    let run = try Attacca(
      "play", "--output", path, "--start", "0.1", "fixtures/cut/05.flac", "fixtures/cut/06.wav")
    #expect(run.status == 0)
    let file = try SoundFile(path: path, pool: FramePool())
    // The last 4,800 of 9,600 frames, and 43,200.
    #expect(file.frameCount == 48_000)
  }
}
