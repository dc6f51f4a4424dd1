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

  /// Prints the paths that others read in a list: Python's parsers of XML and INI, and of lines.
  private static let others = """
    import configparser, os, sys, urllib.parse, xml.etree.ElementTree as xml
    def path(name, folder):
      if name.startswith("file://"): return urllib.parse.unquote(name[7:])
      return os.path.normpath(os.path.join(folder, name))
    file = sys.argv[1]
    folder, kind = os.path.dirname(file), file.rsplit(".", 1)[1]
    if kind == "m3u8":
      names = [l.rstrip("\\n") for l in open(file) if not l.startswith("#")]
    elif kind == "pls":
      ini = configparser.ConfigParser(interpolation=None)
      ini.read(file)
      names = [ini["playlist"]["file%d" % i] for i in range(1, int(ini["playlist"]["numberofentries"]) + 1)]
    elif kind == "xspf":
      space = "{http://xspf.org/ns/0/}"
      names = [urllib.parse.unquote(e.text) if "://" not in e.text else e.text
        for e in xml.parse(file).iter(space + "location")]
    elif kind == "asx":
      names = [e.get("href") for e in xml.parse(file).iter("ref")]
    else:
      names = [l[6:l.rindex(chr(34))] for l in open(file) if l.startswith("FILE ")]
    for name in names: print(path(name, folder))
    """

  @Test(arguments: ["m3u8", "pls", "xspf", "asx", "cue"])
  func `others read the same files in a list that is written`(kind: String) throws {
    let names = ["#lead.flac", "Ü 日本/1 a #1.flac", "Ü 日本/2 50%25 & <b>.flac", "Ü 日本/3 c;d'e.flac"]
    let paths = names.map { "\(folder.path)/\($0)" }
    let (list, out) = ("\(folder.path)/list.m3u8", "\(folder.path)/out.\(kind)")
    try names.map { "./\($0)\n" }.joined()
      .write(toFile: list, atomically: true, encoding: .utf8)
    for path in paths {
      try FileManager.default.createDirectory(
        atPath: URL(fileURLWithPath: path).deletingLastPathComponent().path,
        withIntermediateDirectories: true)
      try Data().write(to: URL(fileURLWithPath: path))
    }
    #expect(try Attacca("list", "convert", list, out).status == 0)
    let run = try Attacca(
      script: "/usr/bin/python3 -X utf8 - '\(out)' <<'END'\n\(Self.others)\nEND")
    #expect(run.output == paths.map { $0 + "\n" }.joined(), "\(run.errors)")
  }
}
