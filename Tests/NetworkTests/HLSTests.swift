// SPDX-License-Identifier: Apache-2.0

import Attacca
import Foundation
import SampleBuffers
import SoundFiles
import TestFixtures
import Testing

@testable import AttaccaNetwork

/// Streams of segments that ffmpeg makes, against the file that they are cut from.
@Suite("HLS") struct HLSTests {
  let server = RangeServer.shared

  private static let aac = "-c:a aac -b:a 96k"

  private func cut(_ path: String, _ name: String, _ kind: String, _ options: [String] = []) throws
    -> String
  {
    try SegmentedFile.cut(path, name, kind, options)
  }

  private func source(_ mode: String, _ name: String) throws -> HTTPSource {
    try #require(HTTPSource(server.address(mode, name)))
  }

  /// What of `heard` is that of the MP4 file, which cuts off what the encoder has added.
  private func expectAll(of path: String, in heard: [Float]) throws {
    let file = try Fixtures.samples(at: path)
    let rest = Array(heard.dropFirst(2 * 1_024).prefix(file.count))
    #expect(firstDifference(rest, file) == nil)
    // The last packet is heard as a whole.
    #expect(heard.count - 2 * 1_024 - file.count < 2 * 1_024)
  }

  @Test(.timeLimit(.minutes(10)), arguments: ["ranges", "none", "reset=7000"])
  func `of a transport stream no frame is lost or doubled`(mode: String) async throws {
    let path = try EncodedFile.path(Self.aac, "hls.m4a")
    let name = try cut(path, "ts-\(mode.prefix(4))", "ts")
    let source = try source(mode, name)
    let reader = try await source.open()
    #expect(source.isBroadcast == false)
    let heard = Heard.reading(reader)
    #expect(heard.error == nil)
    try expectAll(of: path, in: heard.samples)
    #expect(reader.frameCount == Int64(heard.samples.count / 2))
    #expect(source.loadedPortion == 1)
    // Back, and on in the midst.
    for frame in [100_000, 3] {
      try reader.seek(to: Int64(frame))
      let rest = Heard.reading(reader, count: 20_000).samples.prefix(20_000)
      #expect(
        firstDifference(Array(rest), Array(heard.samples[(2 * frame)...].prefix(20_000))) == nil)
    }
  }

  @Test(.timeLimit(.minutes(10)))
  func `of fragments of MP4 no frame is lost or doubled, and what was added is cut off`()
    async throws
  {
    let path = try EncodedFile.path(Self.aac, "hls.m4a")
    let heard = try await Heard.of(try source("ranges", try cut(path, "parts", "m4s")))
    #expect(heard.error == nil)
    let file = try Fixtures.samples(at: path)
    let added = heard.samples.count - file.count
    // An edit list may be there, and may not.
    #expect(added == 0 || added < 2 * 2_048, "\(added)")
    let start = added >= 2 * 1_024 ? 2 * 1_024 : 0
    #expect(firstDifference(Array(heard.samples.dropFirst(start).prefix(file.count)), file) == nil)
  }

  @Test(.timeLimit(.minutes(10)), arguments: [false, true])
  func `what is encrypted is decrypted`(hasStart: Bool) async throws {
    let path = try EncodedFile.path(Self.aac, "hls.m4a")
    let name = hasStart ? "secret-iv" : "secret"
    try server.put((0..<16).map { UInt8(3 * $0 + 1) }, "\(name).key")
    let info =
      "\(name).key\n\(server.folder)/\(name).key\n"
      + (hasStart ? "0102030405060708090a0b0c0d0e0f10\n" : "")
    try server.put(Array(info.utf8), "\(name).info")
    let list = try cut(
      path, name, "ts", ["-hls_key_info_file", "\(server.folder)/\(name).info"])
    let heard = try await Heard.of(try source("ranges", list))
    #expect(heard.error == nil)
    try expectAll(of: path, in: heard.samples)
    // Another key.
    try server.put([UInt8](repeating: 1, count: 16), "\(name).key")
    let other = try source("ranges", list)
    await #expect(throws: SoundFileError.self) { try await other.open() }
  }

  @Test(.timeLimit(.minutes(10)))
  func `of a live stream each segment is heard once, as it comes`() async throws {
    let path = try EncodedFile.path(Self.aac, "hls.m4a")
    let source = try source("live=3", try cut(path, "live", "ts"))
    let reader = try await source.open()
    #expect(source.isBroadcast == true)
    #expect(reader.frameCount == nil)
    let heard = Heard.reading(reader)
    #expect(heard.error == nil)
    try expectAll(of: path, in: heard.samples)
  }

  @Test(.timeLimit(.minutes(10)))
  func `behind a discontinuity another rate goes on, and bare frames have no tags`() async throws {
    let first = try EncodedFile.path("-c:a aac -ar 44100", "hls.ts")
    let second = try EncodedFile.path("-c:a aac -ar 48000", "bare48.aac")
    try server.put(Array(Data(contentsOf: URL(fileURLWithPath: first))), "one.ts")
    let bare = Array(try Data(contentsOf: URL(fileURLWithPath: second)))
    let tag: [UInt8] =
      Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 20] + [UInt8](repeating: 7, count: 20)
    // Between two frames.
    var middle = bare.count / 2
    while !(bare[middle] == 0xFF && bare[middle + 1] == bare[1] && bare[middle + 2] == bare[2]) {
      middle += 1
    }
    try server.put(tag + bare[..<middle], "two.aac")
    try server.put(tag + bare[middle...], "three.aac")
    let text = """
      #EXTM3U
      #EXT-X-TARGETDURATION:4
      #EXTINF:4,
      one.ts
      #EXT-X-DISCONTINUITY
      #EXTINF:2,
      two.aac
      #EXTINF:2,
      three.aac
      #EXT-X-ENDLIST
      """
    try server.put(Array(text.utf8), "rates.m3u8")
    let frames = NetworkFrames(try source("ranges", "rates.m3u8"), pool: FramePool())
    try frames.open()
    var (samples, rates) = ([Float](), [Int]())
    while true {
      do {
        guard let chunk = try frames.read(frames: 10_000) else { break }
        samples += UnsafeBufferPointer(
          start: chunk.storage.samples, count: chunk.frameCount * 2)
        if rates.last != chunk.format.sampleRate { rates.append(chunk.format.sampleRate) }
      } catch is SourceIsWaiting {
      }
    }
    #expect(rates == [44_100, 48_000])
    let expected = try Fixtures.samples(at: first) + Fixtures.samples(at: second)
    #expect(firstDifference(samples, expected) == nil)
  }

  @Test(.timeLimit(.minutes(10)))
  func `another variant goes on with the segment that is next`() async throws {
    let low = try EncodedFile.path("-c:a aac -aac_pns 0 -b:a 64k", "low.m4a")
    let high = try EncodedFile.path("-c:a aac -aac_pns 0 -b:a 160k", "high.m4a")
    let (one, two) = (try cut(low, "low", "ts"), try cut(high, "high", "ts"))
    let text = """
      #EXTM3U
      #EXT-X-STREAM-INF:BANDWIDTH=160000,CODECS="mp4a.40.2"
      \(two)
      #EXT-X-STREAM-INF:BANDWIDTH=64000,CODECS="mp4a.40.2"
      \(one)
      """
    try server.put(Array(text.utf8), "variants.m3u8")
    let heard = try await Heard.of(try source("ranges", "variants.m3u8"))
    #expect(heard.error == nil)
    let all = try await Heard.of(try source("ranges", one))
    #expect(heard.samples.count == all.samples.count)
    // It begins with less, and takes more.
    #expect(heard.samples.prefix(40_000).elementsEqual(all.samples.prefix(40_000)))
    #expect(try !server.requests("ranges", "high-3.ts").isEmpty)
    let rest = try await Heard.of(try source("ranges", two)).samples
    #expect(heard.samples.suffix(20_000).elementsEqual(rest.suffix(20_000)))
  }

  @Test(arguments: [
    (
      "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile:///etc/hostname\n#EXT-X-ENDLIST",
      SoundFileError.Kind.unsupported
    ),
    (
      "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n../status=404/gone.ts\n#EXT-X-ENDLIST",
      .missing
    ),
    ("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nSELF\n#EXT-X-ENDLIST", .notAudio),
    ("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nSELF\n", .unsupported),
    ("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-ENDLIST", .empty),
  ])
  func `what cannot be played has an error that says why`(
    text: String, kind: SoundFileError.Kind
  ) async throws {
    let name = "bad-\(text.utf8.count).m3u8"
    try server.put(Array(text.replacing("SELF", with: name).utf8), name)
    let source = try source("ranges", name)
    await #expect {
      try await source.open()
    } throws: { error in
      (error as? SoundFileError)?.kind == kind
    }
  }
}
