// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Attacca

struct ProbeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "probe",
    abstract: "Tells format, exact length and tags of sound files.")

  @Argument(help: "Files, folders, playlists, cue sheets or addresses of HTTP.")
  var files: [BytePath]

  @Flag(help: "Print JSON, one array for all files.")
  var json = false

  @Flag(help: "Decode the whole of each file, and compare it with its checksum (FLAC has one).")
  var verify = false

  @OptionGroup var lists: ListOptions

  @OptionGroup var network: NetworkOptions

  @OptionGroup var errors: ErrorOptions

  func run() throws {
    let inputs = Inputs(files, lists, network.options())
    inputs.reportFailures()
    var values = inputs.failures.map { Self.failure($0, path: BytePath($0.path)) }
    var (known, failed) = (0, inputs.failures.count)
    // Of tracks of one file that is looked at once.
    var last: (path: BytePath, report: FileReport)?
    for entry in inputs.entries {
      let path = entry.path
      do throws(SoundFileError) {
        let whole =
          if let last, last.path == path, entry.isClip {
            last.report
          } else {
            try FileReport(path: path, inputs.source(at: path), isVerified: verify)
          }
        last = (path, whole)
        let report = whole.clipped(to: entry)
        known += 1
        if !report.isSound { failed += 1 }
        if json { values.append(report.json) } else { TextOutput.standard.write(report.text) }
      } catch {
        failed += 1
        values.append(Self.failure(error, path: path))
        TextOutput.errors.write("\(ErrorText.of(error))\n".withoutControls)
      }
    }
    if json { TextOutput.standard.write(JSONValue.array(values).text() + "\n") }
    TextOutput.standard.flush()
    TextOutput.errors.flush()
    try ExitStatus(played: known, failed: failed).end()
  }

  private static func failure(_ error: SoundFileError, path: BytePath) -> JSONValue {
    .object(path.json + [("error", .string(ErrorText.of(error)))])
  }
}
