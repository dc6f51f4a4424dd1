// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

struct UsageTests {
  @Test func `help names all commands and ends with 0`() throws {
    let run = try Attacca("--help")
    #expect(run.status == 0)
    for command in ["play", "render", "probe", "devices"] {
      #expect(run.output.contains("  \(command) "))
    }
    #expect(run.errors.isEmpty)
  }

  @Test(arguments: ["play", "render", "probe", "devices"])
  func `each command has help`(command: String) throws {
    let run = try Attacca(command, "--help")
    #expect(run.status == 0)
    #expect(run.output.contains("USAGE: attacca \(command)"))
  }

  @Test func `the version is three numbers`() throws {
    let run = try Attacca("--version")
    #expect(run.status == 0)
    #expect(run.output.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil)
  }

  /// A file that is there, so that nothing but what is meant can be wrong.
  private static let file = "fixtures/cut/05.flac"

  @Test(arguments: [
    ("play", "Missing expected argument '<inputs> ...'"),
    ("sing", "Unexpected argument 'sing'"),
    ("play FILE --fade 1001", "--fade is 0 to 1000 ms, not 1001."),
    ("play FILE --start 1:60", "'1:60' is neither seconds nor h:mm:ss."),
    ("play FILE --latency none", "The value 'none' is invalid for '--latency"),
    ("play FILE --speed 0", "--speed is 1/32 to 32, or -1/32 to -32, not 0.0."),
    ("play FILE --speed 33", "--speed is 1/32 to 32, or -1/32 to -32, not 33.0."),
    ("play FILE --speed -33", "--speed is 1/32 to 32, or -1/32 to -32, not -33.0."),
    ("play FILE --speed -0", "--speed is 1/32 to 32, or -1/32 to -32, not -0.0."),
    ("play FILE --pitch up", "The value 'up' is invalid for '--pitch"),
    ("play FILE --shuffle=x", "The value 'x' is invalid for '--shuffle"),
    ("play FILE --output null --device hall", "--device is an output of the sound server"),
    ("play FILE --output y.wav --device hall", "--device is an output of the sound server"),
    ("play FILE --gap 3601", "--gap is 0 to 3600 s, not '3601'."),
    ("play FILE --sleep soon", "--sleep is a time as in 45s, 30m or 1h, item, chapter, or items"),
    ("play FILE --sleep 0items", "or items as in 3items, not '0items'."),
    ("play FILE --sleep-fade 5m", "--sleep-fade is the fade before the end that --sleep names."),
    (
      "play FILE --sleep item --sleep-fade 5",
      "--sleep-fade is a time as in 30s, 5m or 1h, not '5'."
    ),
    ("play FILE --output y.wav --sleep item", "--sleep is for listening, not for a file."),
    ("play FILE --limiter 1", "--limiter is -60 to 0 dB, not 1.0."),
    ("play FILE --equalizer loud:100:3", "'loud:100:3' does not begin with peak, low-shelf,"),
    (
      "play FILE --equalizer peak:100",
      "'peak:100' is not peak with hertz, decibels and, if wanted, a Q."
    ),
    ("play FILE --equalizer peak:100:3,", "'' does not begin with peak,"),
    (
      "play FILE --equalizer high-pass:25:x",
      "'high-pass:25:x' is not high-pass with hertz and, if wanted"
    ),
    ("play FILE --equalizer peak:0:3", "'peak:0:3' has 0.0 Hz; more than 0 are permitted."),
    (
      "render FILE -o y.wav --equalizer peak:100:121",
      "'peak:100:121' has 121.0 dB; -120 to 120 are"
    ),
    ("render FILE -o y.wav --equalizer peak:100:1:0", "has a Q of 0.0; 0.01 to 100 are permitted."),
    ("render FILE", "Missing expected argument '--output"),
    ("render FILE -o y.wav --speed 33", "--speed is 1/32 to 32, or -1/32 to -32, not 33.0."),
    ("render FILE -o y.wav --rate 0", "--rate is 4000 to 768000 Hz, not 0."),
    ("render FILE -o y.wav --rate 3999", "--rate is 4000 to 768000 Hz, not 3999."),
    ("render FILE -o y.wav --rate 768001", "--rate is 4000 to 768000 Hz, not 768001."),
    ("render FILE -o y.wav --channels 9", "--channels is 1 to 8, not 9."),
    ("render FILE -o y.wav --format int8", "The value 'int8' is invalid for '--format"),
    ("render FILE -o y.mp3", "the extension must be one of wav, flac,"),
  ])
  func `wrong usage is named on standard error, ends with 1 and does nothing`(
    line: String, complaint: String
  ) throws {
    let run = try Attacca(
      line.split(separator: " ").map { $0 == "FILE" ? Self.file : String($0) })
    #expect(run.status == 1)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains(complaint), "\(run.errors)")
    #expect(!FileManager.default.fileExists(atPath: Attacca.folder.appending(path: "y.wav").path))
  }

  @Test func `without a server devices ends with 1 and says what to do`() throws {
    let run = try Attacca("devices")
    #expect(run.status == 1)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains("PULSE_SERVER"))
  }
}
