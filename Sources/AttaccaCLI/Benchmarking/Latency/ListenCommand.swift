// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import Listening
import PulseAudio

/// Listens at a sink for a script that measures other programs: see scripts/peers_latency.py.
struct ListenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "listen",
    abstract: "Listens at a stereo sink, and says which frame is heard when.",
    discussion: """
      Plays a reference on the right channel and records what is heard on the left one. Answers \
      each line of standard input with one: ‘now’ with the host time (ns of the monotonic clock), \
      the number of the reference frame that is heard, the host time at which frame 0 was, and the \
      sink's latency (ns); ‘write FILE FROM TO’ with the same TO once the left channel's samples at \
      those numbers are in the file, Float32, NaN where the monitor gave none. Ends with its input.
      """,
    shouldDisplay: false)

  @Option(help: "As for PULSE_SERVER; the user's own if not given.")
  var server: String?

  @Option(help: "The sink's name.")
  var sink: String

  @Option(help: "The longest block in ms that the sink may take, from 1 to 1960.")
  var block: Int?

  func validate() throws {
    if let block, !(1...1_960 ~= block) {
      throw ValidationError("--block is 1 to 1960 ms, not \(block)")
    }
  }

  func run() throws {
    do {
      let connection = try PulseConnection(server: server, applicationName: "attacca bench")
      let listener = try SinkListener(
        connection: connection, sink: sink,
        block: block.map { .milliseconds($0) } ?? SinkListener.longestBlock)
      defer { listener.close() }
      while let line = readLine() {
        let words = line.split(separator: " ").map(String.init)
        TextOutput.standard.write(try Self.answer(words, listener) + "\n")
        TextOutput.standard.flush()
      }
    } catch {
      TextOutput.errors.write("attacca: \(error)\n".withoutControls)
      TextOutput.errors.flush()
      throw ExitCode(ExitStatus.refused.rawValue)
    }
  }

  private static func answer(_ words: [String], _ listener: SinkListener) throws -> String {
    if words == ["now"] {
      let moment = try listener.moment()
      let latency = try listener.sinkLatency()
      return "\(moment.hostTime) \(moment.number) \(moment.origin) \(latency)"
    }
    guard words.count == 4, words[0] == "write", let begin = Int(words[2]), let end = Int(words[3]),
      begin <= end
    else { throw BenchError("‘\(words.joined(separator: " "))’ is neither now nor write") }
    guard let heard = try listener.frames(through: end) else {
      throw BenchError("nothing has come from the sink's monitor for 20 s")
    }
    let samples = (begin..<end).map { heard[$0] ?? .nan }
    guard let file = fopen(words[1], "wb") else { throw BenchError(call: "open \(words[1])") }
    let written = samples.withUnsafeBufferPointer { fwrite($0.baseAddress, 4, $0.count, file) }
    guard fclose(file) == 0, written == samples.count else {
      throw BenchError(call: "write \(words[1])")
    }
    listener.forget(before: begin)
    return "\(end)"
  }
}
