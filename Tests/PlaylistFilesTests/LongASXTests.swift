// SPDX-License-Identifier: Apache-2.0

import Foundation
import PlaylistFiles
import SoundFiles
import TestFixtures
import TestSeeds
import Testing

/// Lists in ASX of some megabytes, of which not all is in memory.
@Suite struct LongASXTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Entries of all lengths, so that whatever there is lies at an end of a piece, with comments and quotes in between.
  private func text(_ random: inout SplitMix64, entries count: Int) -> String {
    var text = "<asx version=\"3.0\"><title>All of it</title>\n"
    for number in 0..<count {
      let most = number % 4 == 0 ? 300 : 30
      let long = String(repeating: "é x ", count: Int.random(in: 0...most, using: &random))
      if number % 7 == 0 { text += "<!-- <entry><ref href=\"/no\"/></entry> \(long)-->" }
      text += "<Entry><ref href = '/music/\(number) > \(number).flac'/>\r\n"
      text += "<title>\(long)&amp; \(number)</title>"
      text += "<duration value=\"00:01:0\(number % 10)\"/></entry>"
    }
    return text + "</asx>"
  }

  /// The same list as it is read as a whole, where entries stay as they stand.
  private func check(_ bytes: [UInt8], _ name: String) throws -> PlaylistFile {
    let list = try PlaylistFile(path: try folder.file(name, bytes))
    let whole = try PlaylistFile(text: bytes, name: name)
    #expect(list.title == whole.title && list.format == .asx)
    // Where a text is cut the rest may be an address in the file's folder.
    let entries = whole.entries.map { entry in
      var entry = entry
      if !entry.path.text.hasPrefix("/") {
        entry.path = BytePath("\(folder.path)/\(entry.path.text)")
      }
      return entry
    }
    #expect(list.entries == entries)
    return list
  }

  @Test func `a list in pieces is the list`() throws {
    for seed in SplitMix64.givenSeeds ?? [SplitMix64().seed] {
      print("a list in pieces, seed \(seed)")
      var random = SplitMix64(seed: seed)
      let bytes = Array(text(&random, entries: 12_000).utf8)
      #expect(bytes.count > 3 << 20)
      let list = try check(bytes, "a.asx")
      #expect(list.entries.count == 12_000)
      #expect(list.entries.last?.path.text == "/music/11999 > 11999.flac")
      #expect(list.entries.allSatisfy { $0.title != nil && $0.duration != nil })
      // A mark in front, and what does not end.
      _ = try check([0xEF, 0xBB, 0xBF] + bytes, "b.asx")
      let address = bytes[(1 << 20)...].firstRange(of: Array("href = ".utf8))!.upperBound
      for (number, end) in [bytes.count - 9, (1 << 20) + 1, (2 << 20) + 77, address].enumerated() {
        let rest = number % 2 == 0 ? "<!-- and so on" : ""
        _ = try check(Array(bytes[..<end]) + Array(rest.utf8), "c\(end).asx")
      }
    }
  }

  @Test func `a list whose last letter is of Windows is read in that code`() throws {
    var random = SplitMix64(seed: 3)
    let plain = text(&random, entries: 6_000).replacing("é", with: "e")
    let bytes =
      Array(plain.utf8.dropLast(6)) + Array("<entry><ref href=\"/z\"/><title>caf".utf8)
      + [0xE9] + Array("</title></entry></asx>".utf8)
    let list = try check(bytes, "a.asx")
    #expect(list.entries.count == 6_001 && list.entries.last?.title == "café")
  }

  @Test func `a tag that never ends is looked at once`() throws {
    let bytes =
      Array("<asx><entry><ref href=\"/a\"/></entry><x ".utf8)
      + [UInt8](repeating: UInt8(ascii: "y"), count: 10 << 20)
    let list = try check(bytes, "a.asx")
    #expect(list.entries.map(\.path.text) == ["/a"])
  }
}
