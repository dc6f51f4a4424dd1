// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

struct ListCommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A sheet of 99 tracks on a copy of a fixture.
  private func sheet() throws -> String {
    let sound = Attacca.folder.appending(path: "fixtures/album-uncut.flac").path
    try FileManager.default.copyItem(atPath: sound, toPath: "\(folder.path)/album.flac")
    var text = "PERFORMER \"Us\"\nTITLE \"Uncut\"\nFILE \"album.wav\" WAVE\n"
    for i in 0..<99 {
      let clock = String(format: "00:%02d:%02d", i * 29 / 75, i * 29 % 75)
      text += "  TRACK \(i + 1) AUDIO\n    TITLE \"T\(i + 1)\"\n    INDEX 01 \(clock)\n"
    }
    try text.write(toFile: "\(folder.path)/album.cue", atomically: true, encoding: .utf8)
    return "\(folder.path)/album.cue"
  }

  @Test func `a sheet of 99 tracks is rendered as its file, opened twice at most`() throws {
    let (sheet, log) = (try sheet(), "\(folder.path)/opens")
    let run = try Attacca(
      script: """
        strace -f -qq -e trace=open,openat -o '\(log)' "$attacca" render '\(sheet)' -o '\(folder.path)/a.wav' && \
        "$attacca" render '\(folder.path)/album.flac' -o '\(folder.path)/b.wav' && \
        cmp '\(folder.path)/a.wav' '\(folder.path)/b.wav' && echo same
        """)
    #expect(run.output.hasSuffix("same\n"), "\(run.errors)")
    let opens = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
      .filter { $0.contains("album.flac\"") }
    #expect((1...2).contains(opens.count), "\(opens)")
  }

  @Test func `a sheet's tracks are told with their parts of the file`() throws {
    let lines = try Attacca("probe", try sheet()).output.split(separator: "\n")
    #expect(lines.filter { $0.hasPrefix("  length") }.count == 99)
    #expect(lines[2] == "  length        18560 frames, 0:00:00.387, by its last block")
    #expect(lines[3] == "  part          from 0:00:00.000 to 0:00:00.387")
    #expect(lines.contains("  title         T99"))
  }

  @Test func `a sheet is converted, and what is lost is told`() throws {
    let sheet = try sheet()
    let (m3u, pls) = ("\(folder.path)/a.m3u8", "\(folder.path)/a.pls")
    let run = try Attacca("list", "convert", sheet, m3u)
    #expect(run.output == "\(m3u): 99 entries\n")
    #expect(run.errors == "attacca: \(m3u): the format has no place for some tags\n")
    let again = try Attacca("list", "convert", sheet, m3u)
    #expect(again.status == 1)
    #expect(again.errors.contains("--force replaces it"), "\(again.errors)")
    #expect(
      try Attacca("list", "convert", m3u, pls).errors.contains(
        "the format has no parts of files: whole files are named"))
    let text = try String(contentsOfFile: m3u, encoding: .utf8)
    #expect(text.contains("#EXTVLCOPT:stop-time=0.386666667\nalbum.flac\n"), "\(text.prefix(300))")
  }

  @Test func `a sheet in the tags of a file is its tracks where that is asked for`() throws {
    let sheet = try sheet()
    let script = """
      /usr/bin/python3 -c 'import sys, mutagen.flac
      f = mutagen.flac.FLAC(sys.argv[1]); f["CUESHEET"] = open(sys.argv[2]).read(); f.save()' \
      '\(folder.path)/album.flac' '\(sheet)' && \
      "$attacca" probe '\(folder.path)/album.flac' | grep -c '  length'; \
      "$attacca" probe --embedded-cue '\(folder.path)/album.flac' | grep -c '  length'
      """
    #expect(try Attacca(script: script).output == "1\n99\n")
  }
}
