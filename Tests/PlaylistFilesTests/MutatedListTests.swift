// SPDX-License-Identifier: Apache-2.0

import MediaTime
import PlaylistFiles
import SoundFiles
import TestSeeds
import Testing

/// Lists that somebody has damaged, or made up.
@Suite struct MutatedListTests {
  private static let texts: [(String, String)] = [
    (
      "a.m3u",
      "#EXTM3U\n#EXTALB:A\n#EXTINF:1.5,\"a,b\",T\n#EXTVLCOPT:start-time=1.5\nfile:///a%20b\nb\\c\n"
    ),
    ("a.pls", "[playlist]\nFile1=a\nTitle1=T\nLength1=5\nFile99999999999999999999=b\n"),
    (
      "a.xspf",
      "<playlist xml:base='http://h/x'><trackList><track><location>a</location><duration>5</duration></track></trackList></playlist>"
    ),
    (
      "a.asx",
      "<asx><entry><ref href=\"a&amp;&#x41;\"/><starttime value=\"1:2:3.5\"/><duration value=\"5\"/></entry>"
    ),
    (
      "a.cue",
      "REM GENRE \"x\"\nFILE \"a b\" WAVE\nTRACK 01 AUDIO\nTITLE \"a \"b\" c\"\nINDEX 00 00:00:00\nINDEX 01 00:02:00\nTRACK 02 AUDIO\nINDEX 01 99:59:74\n"
    ),
  ]

  @Test(arguments: 0..<5)
  func `a damaged list is a list or an error, and keeps its promises`(kind: Int) throws {
    let (name, text) = Self.texts[kind]
    for seed in SplitMix64.givenSeeds ?? [SplitMix64().seed] {
      var random = SplitMix64(seed: seed)
      for _ in 0..<2_000 {
        var bytes = Array(text.utf8)
        for _ in 0..<Int.random(in: 1...6, using: &random) where !bytes.isEmpty {
          let place = Int.random(in: 0..<bytes.count, using: &random)
          switch Int.random(in: 0..<4, using: &random) {
          case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
          case 1: bytes.removeSubrange(place..<min(bytes.count, place + 7))
          case 2: bytes.insert(contentsOf: bytes[place...].prefix(9), at: 0)
          default:
            bytes.insert("\"'<>&=:#%0\n\r\u{FE}".utf8.randomElement(using: &random)!, at: place)
          }
        }
        do throws(SoundFileError) {
          let list = try PlaylistFile(text: bytes, name: name)
          for entry in list.entries {
            #expect(entry.start >= .zero && entry.end.map { $0.isNumeric } ?? true, "SEEDS=\(seed)")
            #expect(entry.path != "" && entry.title != "", "SEEDS=\(seed)")
          }
        } catch {
          #expect(
            error.path == name && [.broken, .unsupported].contains(error.kind), "SEEDS=\(seed)")
        }
      }
    }
  }
}
