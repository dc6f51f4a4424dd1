// SPDX-License-Identifier: Apache-2.0

import Foundation
import SampleBuffers
import SoundFiles
import TestFixtures
import Testing

/// Files whose names are no UTF-8, as the arguments, folders and lists name them.
struct PathTests {
  private let folder: TemporaryFolder
  /// "café \xFE.flac" in Latin-1 and worse.
  private let path: BytePath
  /// The same as a script's word.
  private let word: String
  /// The same as people are shown it.
  private let shown: String

  init() throws {
    folder = try TemporaryFolder()
    path = BytePath(
      bytes: Array(folder.file("caf").utf8) + [0xE9, 0x20, 0xFE] + Array(".flac".utf8))
    word = "\"$(printf '\(folder.path)/caf\\351 \\376.flac')\""
    shown = folder.file("caf\\xE9 \\xFE.flac")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: Fixtures.path("cut/05.flac")))
    let file = (path.bytes + [0]).withUnsafeBytes {
      fopen($0.baseAddress!.assumingMemoryBound(to: CChar.self), "w")
    }
    let stream = try #require(file, "errno \(errno)")
    let count = bytes.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, stream) }
    try #require(fclose(stream) == 0 && count == bytes.count)
  }

  @Test func `a name that is not UTF-8 is played as an argument, and shown with its bytes`() throws
  {
    let run = try Attacca(script: "\"$attacca\" play --output null \(word)")
    #expect(run.output == "1 of 1: \(shown)\n")
    #expect(run.errors.isEmpty)
    #expect(run.status == 0)
  }

  @Test func `it is played from a folder`() throws {
    let run = try Attacca("play", "--output", "null", folder.path)
    #expect(run.output == "1 of 1: \(shown)\n")
    #expect(run.status == 0)
  }

  @Test func `it is played from lists, as bytes and as an address`() throws {
    let bytes = path.bytes
    let list = folder.file("list.m3u")
    let address = Array("file://\(folder.path)/caf%E9%20%FE.flac\n".utf8)
    try Data(bytes[(folder.path.utf8.count + 1)...] + [0x0A] + address).write(
      to: URL(fileURLWithPath: list))
    let run = try Attacca("play", "--output", "null", list)
    #expect(run.output == "1 of 2: \(shown)\n2 of 2: \(shown)\n")
    #expect(run.errors.isEmpty)
    #expect(run.status == 0)
  }

  @Test func `JSON has its bytes, and its errors name it`() throws {
    let run = try Attacca(script: "\"$attacca\" probe --json \(word) \"$(printf '\\351.wav')\"")
    let json = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
    let files = try #require(json as? [[String: Any]])
    try #require(files.count == 2)
    #expect(files[0]["file"] as? String == shown)
    #expect(files[0]["fileBytes"] as? String == folder.file("caf%E9%20%FE.flac"))
    #expect(files[0]["frames"] as? Int == 9_600)
    #expect(files[1]["file"] as? String == "\\xE9.wav")
    #expect(files[1]["fileBytes"] as? String == "%E9.wav")
    #expect(run.errors.hasPrefix("\\xE9.wav: not there: "))
  }

  @Test func `it is rendered, and rendered to`() throws {
    let output = "\"$(printf '\(folder.path)/\\344.wav')\""
    let run = try Attacca(script: "\"$attacca\" render \(word) -o \(output)")
    #expect(run.errors.isEmpty)
    #expect(run.status == 0)
    let again = try Attacca(script: "\"$attacca\" render \(word) -o \(output)")
    #expect(again.errors.hasPrefix(folder.file("\\xE4.wav: exists already: ")))
    #expect(again.errors.hasSuffix("; --force replaces it\n"))
    let written = BytePath(bytes: Array(folder.file("").utf8) + [0xE4] + Array(".wav".utf8))
    #expect(try SoundFile(path: written, pool: FramePool()).frameCount == 9_600)
  }

  @Test func `reports of benchmarks are written to it, and name a folder that is not there`()
    throws
  {
    let parts = ["json", "html"].map {
      "--\($0) \"$(printf '\(folder.path)/\\344.\($0)')\""
    }
    let run = try Attacca(
      script: "\"$attacca\" bench render --runs 1 \(word) \(parts.joined(separator: " "))")
    #expect(run.status == 0, "\(run.errors)")
    for name in ["json", "html"] {
      let written = BytePath(
        bytes: Array(folder.file("").utf8) + [0xE4] + Array(".\(name)".utf8))
      var status = stat()
      #expect(written.withCString { stat($0, &status) } == 0)
      #expect(status.st_size > 100)
    }
    let lost = try Attacca(
      script: "\"$attacca\" bench all --json \"$(printf '\(folder.path)/\\344/a.json')\"")
    #expect(lost.errors.contains(folder.file("\\xE4: No such file or directory")))
    #expect(lost.status == 1)
  }

  @Test func `what the parser says of a wrong argument names its bytes`() throws {
    let run = try Attacca(script: "\"$attacca\" play --latency \"$(printf 'l\\366w')\" x.wav")
    #expect(run.errors.contains("The value 'l\\xF6w' is invalid"))
    #expect(run.status == 1)
  }

  @Test func `an address of a file is its path`() throws {
    let run = try Attacca("probe", "file://\(Fixtures.path("album/02%20flac24.flac"))")
    #expect(run.output.hasPrefix(Fixtures.path("album/02 flac24.flac\n")))
    #expect(run.status == 0)
  }

  @Test(arguments: [
    ("-", "save it in a file"), ("ftp://radio.example/a.mp3", "download it"),
    ("RTSP://radio.example/list.m3u8", "download it"),
  ])
  func `what is no file is refused, with what to do`(argument: String, advice: String) throws {
    let run = try Attacca("play", "--output", "null", argument)
    #expect(run.output.isEmpty)
    #expect(run.errors.hasPrefix("\(argument): not supported: "))
    #expect(run.errors.contains(advice))
    #expect(run.status == 2)
  }
}
