// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Attacca
import AttaccaLoudness

struct LoudnessCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "loudness",
    abstract: "Measures the loudness of sound files, and writes it into their tags.",
    discussion: """
      For each file: integrated loudness in LUFS and loudness range in LU (EBU R 128), true peak in dB of full scale, \
      and the gain to -18 LUFS (ReplayGain 2). Files are decoded on all cores.

      --write has FLAC, Ogg Vorbis, Opus, MP3 and MPEG-4 files bear it. A copy gets the tags, is decoded \
      and compared, and takes the file's place: the sound is not touched, and nothing is lost where that is interrupted.
      """)

  @Argument(help: "Files, folders, playlists or cue sheets.")
  var files: [BytePath]

  @Flag(
    help: """
      Measure albums as a whole, too: files with the same album and album artist in their tags, in the same folder \
      where there is no album artist, or all of a folder without albums.
      """)
  var album = false

  @Flag(help: "Write gain and peak into the tags, with --album those of the albums too.")
  var write = false

  @Flag(help: "Print JSON.")
  var json = false

  @OptionGroup var lists: ListOptions

  @OptionGroup var errors: ErrorOptions

  func run() throws {
    let inputs = Inputs(files, lists)
    inputs.reportFailures()
    let scan = LoudnessScan(inputs.entries, byAlbum: album, writes: write)
    if !json, !inputs.entries.isEmpty { TextOutput.standard.write(LoudnessTable.head) }
    let report = scan.run { row in
      if !json { TextOutput.standard.write(LoudnessTable.line(row)) }
    }
    if json {
      TextOutput.standard.write(LoudnessTable.json(report, inputs.failures).text() + "\n")
    } else {
      for album in report.albums { TextOutput.standard.write(LoudnessTable.line(album)) }
    }
    for line in report.complaints { TextOutput.errors.write("\(line)\n".withoutControls) }
    TextOutput.standard.flush()
    TextOutput.errors.flush()
    if report.isInterrupted { try ExitStatus.signalled.end() }
    let failed = report.rows.count { !$0.isDone } + inputs.failures.count
    try ExitStatus(played: report.rows.count { $0.measured != nil }, failed: failed).end()
  }
}
