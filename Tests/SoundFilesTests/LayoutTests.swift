// SPDX-License-Identifier: Apache-2.0

import SampleBuffers
import SoundFiles
import TestFixtures
import Testing

/// Speakers as the headers of CAF and WAVE files name them.
@Suite struct LayoutTests {
  private static let wave = (1...8).map { ChannelLayout.usual(channelCount: $0) }

  private static func big(_ value: UInt64, _ size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static func little(_ value: UInt64, _ size: Int) -> [UInt8] {
    big(value, size).reversed()
  }

  private func layout(of bytes: [UInt8]) throws -> ChannelLayout {
    let folder = try TemporaryFolder()
    let file = try SoundFile(path: try folder.file("a", bytes), pool: FramePool())
    #expect(file.frameCount == 4)
    return file.format.layout
  }

  /// The tags of CoreAudioBaseTypes.h: a number, and the channel count.
  @Test(arguments: [
    (101, 2, [.frontLeft, .frontRight]), (114, 3, [.frontCenter, .frontLeft, .frontRight]),
    (133, 3, [.frontLeft, .frontRight, .lowFrequency]),
    (
      123, 6, [.frontLeft, .frontCenter, .frontRight, .backLeft, .backRight, .lowFrequency]
    ),
    (
      142, 7,
      [
        .frontCenter, .frontLeft, .frontRight, .backLeft, .backRight, .backCenter, .lowFrequency,
      ]
    ),
    // Of another count, a bitmap, descriptions, and a cube, which has speakers that are not known.
    (123, 5, wave[4].speakers), (1, 3, wave[2].speakers), (0, 2, wave[1].speakers),
    (112, 8, wave[7].speakers),
  ])
  func `a layout tag gives the speakers in its order`(
    tag: Int, channels: Int, speakers: [ChannelLayout.Speaker]
  ) throws {
    let count = UInt64(channels)
    var bytes = Array("caff".utf8) + [0, 1, 0, 0] + Array("desc".utf8) + Self.big(32, 8)
    bytes += Self.big((48_000.0).bitPattern, 8) + Array("lpcm".utf8)
    bytes += [0, 2 * count, 1, count, 16].flatMap { Self.big($0, 4) }
    bytes += Array("chan".utf8) + Self.big(12, 8)
    let low: UInt64 = tag == 123 ? 6 : tag < 100 ? 0 : count
    bytes += [UInt64(tag) << 16 | low, 0, 0].flatMap { Self.big($0, 4) }
    bytes += Array("data".utf8) + Self.big(4 + 8 * count, 8)
    bytes += [UInt8](repeating: 0, count: 4 + 8 * channels)
    #expect(try layout(of: bytes).speakers == speakers)
  }

  @Test(arguments: [
    (0x3, [.frontLeft, .frontRight]), (0x600, [.sideLeft, .sideRight]), (0x4, [.mono]),
    (0x10F, [.frontLeft, .frontRight, .frontCenter, .lowFrequency, .backCenter]),
    // A bit too many; one too few; one for a place above.
    (0x1_0014, [.frontCenter, .backLeft]), (0x1, wave[1].speakers), (0x801, wave[1].speakers),
  ])
  func `the mask of a WAVE file gives the speakers from its lowest bit on`(
    mask: Int, speakers: [ChannelLayout.Speaker]
  ) throws {
    let count = UInt64(speakers.count)
    var bytes = Array("RIFF".utf8) + Self.little(60 + 8 * count, 4)
    bytes += Array("WAVEfmt ".utf8) + Self.little(40, 4)
    bytes += Self.little(0xFFFE, 2) + Self.little(count, 2)
    bytes += Self.little(48_000, 4) + Self.little(96_000 * count, 4)
    bytes += [2 * count, 16, 22, 16].flatMap { Self.little($0, 2) }
    bytes += Self.little(UInt64(mask), 4)
    bytes += [1, 0, 0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    bytes += Array("data".utf8) + Self.little(8 * count, 4)
    bytes += [UInt8](repeating: 0, count: 8 * speakers.count)
    #expect(try layout(of: bytes).speakers == speakers)
  }
}
