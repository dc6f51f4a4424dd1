// SPDX-License-Identifier: Apache-2.0

import SampleBuffers
import SoundFiles
import TestFixtures
import TestSeeds
import Testing

/// FLAC as it is found: of any bits and blocks, in Ogg, cut, joined, mislabelled and damaged.
@Suite struct FLACTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func file(_ bytes: some Collection<UInt8>, _ name: String = "a.flac") throws -> SoundFile
  {
    try SoundFile(path: try folder.file(name, Array(bytes)), pool: FramePool())
  }

  /// Seeks at random, of which each finds the frames of a straight read.
  private func expectExactSeeks(
    _ name: String = "a.flac", sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let error = try SeekTests.largestError("\(folder.path)/\(name)", seeks: 60)
    #expect(error == 0, sourceLocation: sourceLocation)
  }

  // MARK: What the format allows

  @Test(
    arguments: [4, 5, 8, 12, 15, 16, 17, 20, 24, 31, 32], [false, true])
  func `samples of 4 to 32 bits are heard as they were written`(bits: Int, isOgg: Bool) throws {
    // The largest blocks, of eight channels, take longest: bits that fill their bytes are enough for those.
    let largest = bits % 8 == 0 ? 65_535 : 4_608
    for (channels, blockSize) in [(1, 4_096), (2, 16), (3, 192), (6, 1_000), (8, largest)] {
      let writer = FLACBytes(
        bits: bits, channelCount: channels, blockSize: blockSize, serial: isOgg ? 7 : nil)
      let samples = writer.samples(frames: blockSize > 10_000 ? 70_001 : 10_001)
      let file = try file(writer.encode(samples).bytes)
      #expect(file.fileFormat.container == (isOgg ? .ogg : .flac))
      #expect(file.fileFormat.encoding == .integer(bits: bits))
      #expect(file.frameCount == Int64(samples.count / channels))
      let heard = try Decoded(rest: file).samples
      #expect(heard == samples.map(writer.heard), "\(channels) channels, blocks of \(blockSize)")
      #expect(file.truncation == nil)
    }
    try expectExactSeeks()
  }

  @Test func `a rate that no block can tell is played`() throws {
    let writer = FLACBytes(channelCount: 1, sampleRate: 655_349)
    let samples = writer.samples(frames: 20_000)
    let file = try file(writer.encode(samples).bytes)
    #expect(file.format.sampleRate == 655_349)
    #expect(try Decoded(rest: file).samples == samples.map(writer.heard))
  }

  // MARK: Streams without a beginning

  @Test func `a stream that begins with a block, or behind a part of one, is played from there`()
    throws
  {
    let writer = FLACBytes()
    let samples = writer.samples(frames: 100_000)
    let (bytes, blocks) = writer.encode(samples)
    for block in [0, 1, 7, blocks.count - 1] {
      for junk in [0, 1, 3_000] where block > 0 || junk == 0 {
        let file = try file(bytes[(blocks[block] - junk)...])
        let expected = samples[(block * 4_096 * 2)...].map(writer.heard)
        #expect(file.frameCount == Int64(expected.count / 2), "block \(block), \(junk) bytes")
        #expect(file.format.sampleRate == 44_100 && file.fileFormat.bitsPerSample == 16)
        #expect(try Decoded(rest: file).samples == expected, "block \(block), \(junk) bytes")
        #expect(file.truncation == nil)
        try expectExactSeeks()
      }
    }
  }

  @Test func `headers that are missing, or lead astray, cost nothing of what can be told`() throws {
    let writer = FLACBytes()
    let samples = writer.samples(frames: 50_000)
    let (bytes, blocks) = writer.encode(samples)
    let expected = samples.map(writer.heard)
    let padding: [UInt8] = [1, 0, 0, 4, 0, 0, 0, 0]
    let info = Array(bytes[4..<42])
    let good = Array(bytes[blocks[0]...])
    for (name, headers) in [
      ("no STREAMINFO", [0x81] + padding.dropFirst()),
      ("STREAMINFO second", padding + [0x80] + info.dropFirst()),
      ("a length too large", [0] + info.dropFirst() + [1, 0, 1, 4, 0, 0, 0, 0]),
      ("a length beyond the end", [0] + info.dropFirst() + [0x81, 0xFF, 0xFF, 0xFF]),
    ] as [(String, [UInt8])] {
      let file = try file(Array("fLaC".utf8) + headers + good)
      #expect(file.frameCount == 50_000, "\(name)")
      #expect(try Decoded(rest: file).samples == expected, "\(name)")
      try expectExactSeeks()
    }
  }

  @Test(arguments: [0, 1, 4_096, 49_999, 50_001, 1 << 35])
  func `a length that is wrong in the header is that of the blocks`(stated: Int64) throws {
    let writer = FLACBytes()
    let samples = writer.samples(frames: 50_000)
    var bytes = writer.encode(samples).bytes
    for i in 0..<5 {
      let byte = UInt8(truncatingIfNeeded: stated >> Int64(8 * (4 - i)))
      bytes[21 + i] = i == 0 ? bytes[21] & 0xF0 | byte & 0x0F : byte
    }
    let file = try file(bytes)
    #expect(file.frameCount == 50_000)
    #expect(try Decoded(rest: file).samples == samples.map(writer.heard))
    #expect((file.truncation == nil) == (stated <= 50_000))
    try expectExactSeeks()
  }

  /// As Flake wrote them before FLAC 1.2: blocks of different sizes, with numbers of samples, not flagged.
  @Test func `blocks that tell their first sample without saying so are played in their places`()
    throws
  {
    let writer = FLACBytes(blockSize: 100)
    let samples = writer.samples(frames: 200)
    var (bytes, blocks) = writer.encode(samples)
    // Its second block is number 1: number 100, of its first sample.
    bytes.replaceSubrange(8..<12, with: [0, 16, 0, 100])
    bytes[blocks[1] + 4] = 100
    // Sizes have a byte behind the number here, and checksums follow.
    let header = bytes[blocks[1]..<blocks[1] + 6]
    bytes[blocks[1] + 6] = header.reduce(0) { sum, byte in
      (0..<8).reduce(sum ^ byte) { sum, _ in sum & 0x80 != 0 ? sum << 1 ^ 0x07 : sum << 1 }
    }
    let sum = bytes[blocks[1]..<bytes.count - 2].reduce(UInt16(0)) { sum, byte in
      (0..<8).reduce(sum ^ UInt16(byte) << 8) { sum, _ in
        sum & 0x8000 != 0 ? sum << 1 ^ 0x8005 : sum << 1
      }
    }
    bytes.replaceSubrange(
      bytes.count - 2..<bytes.count, with: [UInt8(sum >> 8), UInt8(sum & 0xFF)])
    let file = try file(bytes)
    #expect(file.frameCount == 200)
    #expect(try Decoded(rest: file).samples == samples.map(writer.heard))
    #expect(file.truncation == nil)
    try expectExactSeeks()
  }

  // MARK: Streams that change

  @Test func `another rate, other channels and other bits in mid-stream are heard as they are`()
    throws
  {
    let writers = [
      FLACBytes(channelCount: 1, sampleRate: 32_000),
      FLACBytes(channelCount: 2, sampleRate: 32_000),
      FLACBytes(bits: 8, channelCount: 2, sampleRate: 32_000),
      FLACBytes(bits: 24, channelCount: 6, sampleRate: 48_000),
    ]
    var (bytes, expected) = ([UInt8](), [[Float]]())
    for (i, writer) in writers.enumerated() {
      let samples = writer.samples(frames: 9_001, seed: UInt64(i + 1))
      let (encoded, blocks) = writer.encode(samples)
      bytes += encoded[(i == 0 ? 0 : blocks[0])...]
      expected.append(samples.map(writer.heard))
    }
    // What has one format is one part.
    let parts = [expected[0], expected[1] + expected[2], expected[3]]
    let file = try file(bytes)
    let heard = try Decoded(rest: file)
    #expect(heard.parts.map(\.format.channelCount) == [1, 2, 6])
    #expect(heard.parts.map(\.format.sampleRate) == [32_000, 32_000, 48_000])
    #expect(heard.parts.map(\.samples) == parts)
    #expect(file.truncation == nil && file.frameCount == nil)
    for (frame, part, place) in [
      (9_001, 1, 0), (30_000, 2, 2_997), (0, 0, 0), (20_000, 1, 10_999), (9_000, 0, 9_000),
    ] {
      try file.seek(to: Int64(frame))
      let chunk = try #require(try file.read(frames: 1))
      let channels = heard.parts[part].format.channelCount
      #expect(chunk.format == heard.parts[part].format)
      #expect(chunk.storage.samples[0] == parts[part][place * channels], "\(frame)")
    }
  }

  // MARK: Damage

  @Test(arguments: [1, 3, 70])
  func `damage costs the blocks that it is in, which are silent, and no frame its place`(
    count: Int
  ) throws {
    let writer = FLACBytes(blockSize: 1_024)
    let samples = writer.samples(frames: 200_000)
    var (bytes, blocks) = writer.encode(samples)
    for block in 20..<20 + count { bytes[blocks[block] + 100] ^= 0x10 }
    let file = try file(bytes)
    let heard = try Decoded(rest: file).samples
    let lost = 20 * 1_024 * 2..<(20 + count) * 1_024 * 2
    let expected = samples.enumerated().map { lost.contains($0) ? 0 : writer.heard($1) }
    #expect(heard == expected)
    #expect(file.frameCount == 200_000)
    #expect(
      file.truncation?.cause == "damaged at frame 20480; what is missing is silent",
      "\(file.truncation as Any)")
    #expect(file.truncation?.kind == .broken)
    try expectExactSeeks()
  }

  @Test
  func
    `of noise in the place of blocks more than 5 s are silent, and what follows keeps its place`()
    throws
  {
    let writer = FLACBytes(channelCount: 1, sampleRate: 8_000, blockSize: 1_024)
    let samples = writer.samples(frames: 100_000)
    var (bytes, blocks) = writer.encode(samples)
    // 41 blocks, 5.2 s; what is not 0xFF begins no block.
    for i in blocks[20]..<blocks[61] { bytes[i] = 0x55 }
    let file = try file(bytes)
    let heard = try Decoded(rest: file).samples
    let lost = 20 * 1_024..<61 * 1_024
    #expect(heard == samples.enumerated().map { lost.contains($0) ? 0 : writer.heard($1) })
    #expect(file.truncation?.kind == .broken)
  }

  // MARK: Ogg

  @Test func `a chain of Ogg FLAC is played link by link, whatever their formats`() throws {
    var (bytes, expected) = ([UInt8](), [[Float]]())
    for (i, rate) in [44_100, 44_100, 48_000].enumerated() {
      let writer = FLACBytes(channelCount: i + 1, sampleRate: rate, serial: i + 10)
      let samples = writer.samples(frames: 30_000 + i, seed: UInt64(i + 1))
      bytes += writer.encode(samples).bytes
      expected.append(samples.map(writer.heard))
    }
    let file = try file(bytes, "chain.oga")
    let heard = try Decoded(rest: file)
    #expect(heard.parts.map(\.samples) == expected)
    try file.seek(to: 30_000 + 17)
    #expect(try file.read(frames: 1)?.storage.samples[0] == expected[1][17 * 2])
    try file.seek(to: 5)
    #expect(try file.read(frames: 1)?.storage.samples[0] == expected[0][5])
  }

  @Test func `Ogg FLAC whose headers tell no length has that of its last page, and exact seeks`()
    throws
  {
    let writer = FLACBytes(serial: 1, tellsLength: false)
    let samples = writer.samples(frames: 300_001)
    let file = try file(writer.encode(samples).bytes)
    #expect(file.frameCount == 300_001)
    #expect(try Decoded(rest: file).samples == samples.map(writer.heard))
    try expectExactSeeks()
  }

  @Test func `Ogg FLAC that is cut inside a page plays what is there, and says so`() throws {
    let writer = FLACBytes(serial: 1)
    let samples = writer.samples(frames: 100_000)
    let bytes = writer.encode(samples).bytes
    let file = try file(bytes.dropLast(bytes.count / 3))
    let heard = try Decoded(rest: file).samples
    #expect((50_000..<70_000).contains(heard.count / 2))
    #expect(heard == samples.prefix(heard.count).map(writer.heard))
    #expect(file.frameCount == Int64(heard.count / 2))
    #expect(file.truncation?.kind == .truncated)
    try expectExactSeeks()
  }
}
