// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Attacca

struct DevicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices",
    abstract: "Lists the sound server's outputs; * marks the default.")

  @Flag(help: "Print JSON.")
  var json = false

  @OptionGroup var errors: ErrorOptions

  func run() throws {
    let devices: [AudioDevice]
    do throws(PulseError) {
      devices = try AudioDevices.current(applicationName: "attacca")
    } catch {
      TextOutput.errors.write("attacca: \(ErrorText.of(error))\n")
      TextOutput.errors.flush()
      return try ExitStatus.refused.end()
    }
    TextOutput.standard.write(json ? Self.json(devices) : devices.map(Self.line).joined())
    TextOutput.standard.flush()
  }

  private static func line(_ device: AudioDevice) -> String {
    let mark = device.isDefault ? "*" : " "
    return "\(mark) \(device.name)\n    \(device.summary)\n    \(device.format), \(device.state)\n"
      .withoutControls
  }

  private static func json(_ devices: [AudioDevice]) -> String {
    let values = devices.map { device in
      JSONValue.object([
        ("name", .string(device.name)),
        ("description", .string(device.summary)),
        ("default", .bool(device.isDefault)),
        ("sampleRate", .integer(device.format.sampleRate)),
        ("channels", .integer(device.format.channelCount)),
        ("layout", device.format.layout.json),
        ("state", .string("\(device.state)")),
      ])
    }
    return JSONValue.array(values).text() + "\n"
  }
}

extension ChannelLayout {
  /// The speakers' names in channel order.
  var json: JSONValue { .array(speakers.map { .string("\($0)") }) }
}
