// SPDX-License-Identifier: Apache-2.0

import MediaTime
import SampleBuffers
import Testing

@testable import SoundFiles

/// Tags as some writers have them, and as none should.
@Suite struct OddTagTests {
  private static func big(_ value: Int, _ size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static func frame(_ name: String, _ content: [UInt8]) -> [UInt8] {
    Array(name.utf8) + big(content.count, 4) + [0, 0] + content
  }

  private static func text(_ name: String, _ text: String) -> [UInt8] {
    frame(name, [3] + Array(text.utf8))
  }

  /// An MP3 file with a tag of ID3v2.4.
  private func tags(_ frames: [UInt8]) throws -> SoundFile {
    let size = (0..<4).map { UInt8(frames.count >> (7 * (3 - $0)) & 0x7F) }
    let head = Array("ID3".utf8) + [4, 0, 0] + size
    return try SoundFile(
      head + frames + MPEGFrames(of: "formats/mp3-cbr.mp3").stream(20), name: "a.mp3",
      pool: FramePool())
  }

  @Test func `a frame of nothing does not end a tag`() throws {
    let file = try tags(Self.frame("TXXX", []) + Self.text("TIT2", "Behind"))
    #expect(file.tags.title == "Behind")
  }

  @Test func `a date counts more than a year, whichever stands first`() throws {
    let (year, date) = (Self.text("TYER", "2004"), Self.text("TDRC", "2004-05-01"))
    #expect(try tags(year + date).tags.date == "2004-05-01")
    #expect(try tags(date + year).tags.date == "2004-05-01")
  }

  @Test func `of several genres by number the last is named`() throws {
    #expect(try tags(Self.text("TCON", "(51)(39)")).tags.genre == "Noise")
  }

  @Test func `a chapter that ends where it begins lasts up to the next`() throws {
    let times = Self.big(0, 4) + Self.big(0, 4) + [UInt8](repeating: 0xFF, count: 8)
    let later = Self.big(10, 4) + Self.big(20, 4) + [UInt8](repeating: 0xFF, count: 8)
    let chapters = try tags(
      Self.frame("CHAP", Array("a".utf8) + [0] + times)
        + Self.frame("CHAP", Array("b".utf8) + [0] + later)
    ).chapters
    #expect(chapters.count == 2 && chapters[0].end == nil)
  }

  @Test(.timeLimit(.minutes(5)))
  func `a name with a million values has a hundred, and opens at once`() throws {
    let values = (0..<1_000_000).map { String($0, radix: 36) }
    var tags = Tags()
    for value in values { tags.add(value, to: .artist) }
    #expect(tags[.artist].count == Tags.most)
  }

  @Test func `bytes in many pieces are found where they are`() throws {
    let file = try RegularFile((0..<250).map { UInt8($0) }, name: "pieces")
    let ranges: [Range<Int64>] = (0..<50).map { $0 * 5..<$0 * 5 + 3 }
    let pieces = FilePieces(ranges, of: file)
    let all = ranges.flatMap { range in range.map { UInt8($0) } }
    #expect(pieces.count == 150)
    for (offset, count) in [(0, 150), (2, 2), (3, 1), (148, 9), (149, 1), (40, 60)] {
      let wanted = Array(all[offset..<min(150, offset + count)])
      #expect(try pieces.bytes(at: Int64(offset), count: count) == wanted)
    }
    #expect(try pieces.bytes(at: 150, count: 1).isEmpty)
  }
}
