// SPDX-License-Identifier: Apache-2.0

import Foundation
import SampleBuffers
import SoundFiles
import Testing

/// What begins as a sound file does and goes on as noise is refused after little of it was read: a
/// list of a thousand such files is not to hold up the one that follows.
@Suite struct BoundedReadingTests {
  private static let beginnings: [(name: String, bytes: [UInt8])] = [
    ("nothing", []), ("FLAC", Array("fLaC".utf8)), ("MPEG", [0xFF, 0xFB, 0x90, 0x64]),
    ("ID3", Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 16]),
    ("ID3 before FLAC", Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 0] + Array("fLaC".utf8)),
    ("Ogg", Array("OggS".utf8) + [0, 2]),
    ("WAV", Array("RIFF".utf8) + [0, 16, 0, 0] + Array("WAVEfmt ".utf8)),
    ("AIFF", Array("FORM".utf8) + [0, 0, 16, 0] + Array("AIFF".utf8)),
    ("CAF", Array("caff".utf8) + [0, 1, 0, 0]),
  ]

  /// Bytes that this thread has read through system calls.
  private func bytesRead() throws -> Int {
    let text = try String(contentsOfFile: "/proc/thread-self/io", encoding: .utf8)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("rchar: ") })
    return try #require(Int(line.dropFirst("rchar: ".count)))
  }

  @Test(arguments: beginnings.indices)
  func `of 5 MB of noise behind a good beginning less than 300 kB are read`(i: Int) throws {
    let folder = try TemporaryFolder()
    // xorshift64: the same noise in each run.
    var state: UInt64 = 88_172_645_463_325_252
    var bytes = Self.beginnings[i].bytes
    while bytes.count < 5_000_000 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      withUnsafeBytes(of: state) { bytes.append(contentsOf: $0) }
    }
    let path = try folder.file("noise", bytes)
    let before = try bytesRead()
    #expect(throws: SoundFileError.self) {
      try SoundFile(path: path, pool: FramePool()).read(frames: 48_000)
    }
    #expect(try bytesRead() - before < 300_000, "\(Self.beginnings[i].name)")
  }
}
