// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Attacca
import PulseAudio

struct DevicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices",
    abstract: "Lists the sound server's outputs; * marks the default.")

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let sinks: [PulseSink]
    do throws(PulseError) {
      sinks = try PulseConnection(applicationName: "attacca").sinks()
    } catch {
      TextOutput.errors.write("attacca: \(error)\n")
      TextOutput.errors.flush()
      return try ExitStatus.refused.end()
    }
    TextOutput.standard.write(json ? Self.json(sinks) : sinks.map(Self.line).joined())
    TextOutput.standard.flush()
  }

  private static func line(_ sink: PulseSink) -> String {
    let mark = sink.isDefault ? "*" : " "
    return "\(mark) \(sink.name)\n    \(sink.summary)\n    \(sink.format), \(sink.state)\n"
      .withoutControls
  }

  private static func json(_ sinks: [PulseSink]) -> String {
    let values = sinks.map { sink in
      JSONValue.object([
        ("name", .string(sink.name)),
        ("description", .string(sink.summary)),
        ("default", .bool(sink.isDefault)),
        ("sampleRate", .integer(sink.format.sampleRate)),
        ("channels", .integer(sink.format.channelCount)),
        ("layout", sink.format.layout.json),
        ("state", .string("\(sink.state)")),
      ])
    }
    return JSONValue.array(values).text() + "\n"
  }
}

extension ChannelLayout {
  /// The speakers' names in channel order.
  var json: JSONValue { .array(speakers.map { .string("\($0)") }) }
}
