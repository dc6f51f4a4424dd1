// SPDX-License-Identifier: Apache-2.0

import SoundFiles
import Testing

@testable import AttaccaNetwork

/// What playlists of HLS say.
@Suite("HLS playlists") struct HLSPlaylistTests {
  private func segments(_ text: String) throws -> HLSPlaylist.Segments {
    guard case .segments(let segments) = try HLSPlaylist("#EXTM3U\n" + text, name: "x") else {
      throw Unexpected()
    }
    return segments
  }

  private struct Unexpected: Error {}

  @Test func `segments have their lengths, ranges, keys and headers`() throws {
    let list = try segments(
      """
      #EXT-X-TARGETDURATION:4
      #EXT-X-MEDIA-SEQUENCE:7
      #EXT-X-MAP:URI="head.mp4",BYTERANGE="720@0"
      #EXTINF:3.9,title, with a comma
      #EXT-X-BYTERANGE:100@720
      a.mp4
      #EXT-X-KEY:METHOD=AES-128,URI="k?a=1,2",IV=0x0102
      #EXTINF:4
      #EXT-X-BYTERANGE:50
      a.mp4
      #EXT-X-DISCONTINUITY
      #EXT-X-KEY:METHOD=NONE
      # a comment
      #EXTINF:1.5,
      b.mp4
      #EXT-X-ENDLIST
      """.replacing("\n", with: "\r\n"))
    #expect(list.target == 4 && list.firstNumber == 7 && list.isWhole)
    let header = HLSPlaylist.Header(place: "head.mp4", bytes: 0..<720)
    let key = HLSPlaylist.Key(
      place: "k?a=1,2", start: [UInt8](repeating: 0, count: 14) + [1, 2])
    #expect(
      list.list == [
        .init(place: "a.mp4", seconds: 3.9, bytes: 720..<820, header: header),
        .init(place: "a.mp4", seconds: 4, bytes: 820..<870, key: key, header: header),
        .init(place: "b.mp4", seconds: 1.5, header: header, beginsAnew: true),
      ])
  }

  @Test func `of variants those of sound alone are taken, in the order of their rates`() throws {
    let text = """
      #EXTM3U
      #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="x",URI="other.m3u8"
      #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="y",DEFAULT=YES,URI="group.m3u8"
      #EXT-X-STREAM-INF:BANDWIDTH=900000,CODECS="avc1.42,mp4a.40.2",AUDIO="a"
      video.m3u8
      #EXT-X-STREAM-INF:BANDWIDTH=128000,CODECS="mp4a.40.2"
      high.m3u8
      #EXT-X-STREAM-INF:BANDWIDTH=64000,CODECS="mp4a.40.5"
      low.m3u8
      #EXT-X-STREAM-INF:BANDWIDTH=500000,CODECS="avc1.42,mp4a.40.2"
      muxed.m3u8
      """
    guard case .choices(let found) = try HLSPlaylist(text, name: "x") else { throw Unexpected() }
    #expect(found.map(\.place) == ["low.m3u8", "high.m3u8", "group.m3u8"])
    let muxed = """
      #EXTM3U
      #EXT-X-STREAM-INF:BANDWIDTH=900000
      a
      #EXT-X-STREAM-INF:BANDWIDTH=300000
      b
      """
    guard case .choices(let one) = try HLSPlaylist(muxed, name: "x") else { throw Unexpected() }
    #expect(one.map(\.place) == ["b"])
  }

  @Test(arguments: [
    ("", SoundFileError.Kind.broken), ("<html>", .broken), ("#EXTM3U\n", .broken),
    ("#EXTM3U\na.mp3\nb.mp3", .broken),
    ("#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"k\"", .unsupported),
    (
      "#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI=\"k\",KEYFORMAT=\"com.apple.streamingkeydelivery\"",
      .unsupported
    ),
    ("#EXTM3U\n#EXT-X-KEY:METHOD=AES-128", .broken),
    ("#EXTM3U\n#EXT-X-BYTERANGE:9@-1", .broken),
    ("#EXTM3U\n#EXT-X-BYTERANGE:99999999999999999999", .broken),
    ("#EXTM3U\n#EXT-X-I-FRAMES-ONLY", .unsupported),
  ])
  func `what cannot be played is refused in words`(text: String, kind: SoundFileError.Kind) {
    #expect {
      try HLSPlaylist(text, name: "x")
    } throws: { error in
      (error as? SoundFileError)?.kind == kind
    }
  }

  @Test func `a list without an end is refused`() {
    let text =
      "#EXTM3U\n#EXT-X-TARGETDURATION:1\n"
      + String(repeating: "#EXTINF:1,\na\n", count: HLSPlaylist.mostSegments + 1)
    #expect(throws: SoundFileError.self) { try HLSPlaylist(text, name: "x") }
  }

  @Test func `numbers that no time has are taken for none`() throws {
    let list = try segments(
      "#EXT-X-TARGETDURATION:nan\n#EXT-X-MEDIA-SEQUENCE:-5\n#EXTINF:inf,\na\n#EXTINF:-1,\nb\n")
    #expect(list.target == 10 && list.firstNumber == 0)
    #expect(list.list.map(\.seconds) == [0, 0])
    #expect(!list.isWhole && !list.keepsAll)
  }

  // MARK: Variants

  @Test func `less is taken at once, and more after two segments that came fast enough`() {
    var choice = VariantChoice([64_000, 128_000, 256_000])
    #expect(choice.index == 1)
    // 1 Mbit/s.
    choice.note(bytes: 125_000, seconds: 1)
    #expect(choice.index == 1)
    choice.note(bytes: 125_000, seconds: 1)
    #expect(choice.index == 2)
    // 250 kbit/s, of which 256 do not come.
    choice.note(bytes: 31_250, seconds: 1)
    #expect(choice.index == 1)
    // What is just enough changes nothing: neither up nor down.
    for _ in 0..<10 { choice.note(bytes: 31_250, seconds: 1) }
    #expect(choice.index == 1)
    choice.note(bytes: 1_000, seconds: 10)
    #expect(choice.index == 0)
  }

  @Test func `one variant is the choice, and none is no choice`() {
    var (one, none) = (VariantChoice([5]), VariantChoice([]))
    one.note(bytes: 1, seconds: 100)
    none.note(bytes: 1, seconds: 100)
    #expect(one.index == 0 && none.index == 0)
  }

  @Test func `a variant that is not there is done without`() {
    var choice = VariantChoice([64_000, 128_000, 256_000])
    let isAnother = choice.refuse(1)
    #expect(isAnother && choice.index == 0)
    // Over it to the next.
    for _ in 0..<2 { choice.note(bytes: 1_250_000, seconds: 1) }
    #expect(choice.index == 2)
    let isFormer = choice.refuse(2, for: 0)
    #expect(isFormer && choice.index == 0)
    for _ in 0..<4 { choice.note(bytes: 1_250_000, seconds: 1) }
    #expect(choice.index == 0)
    let isLeft = choice.refuse(0)
    #expect(!isLeft)
  }

  @Test func `a rest is none of the line's time`() {
    var clock = ArrivalClock()
    clock.begin(at: 1_000)
    clock.note(10, at: 1_500)
    clock.note(10, at: 1_600)
    // For a million nothing was to come.
    clock.begin(at: 1_001_600)
    clock.note(10, at: 1_001_700)
    #expect(clock.bytes == 30 && clock.nanoseconds == 700)
  }

  // MARK: Keys

  private func bytes(_ text: String) -> [UInt8] {
    stride(from: 0, to: text.utf8.count, by: 2).map {
      UInt8(text.dropFirst($0).prefix(2), radix: 16)!
    }
  }

  /// NIST SP 800-38A, F.2.2, and a block of padding behind it by openssl.
  @Test func `AES decrypts what the standard has encrypted`() throws {
    let key = try HLSKey(bytes("2b7e151628aed2a6abf7158809cf4f3c"), name: "x")
    let start = bytes("000102030405060708090a0b0c0d0e0f")
    let secret = bytes(
      "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2"
        + "73bed6b8e3c1743b7116e69e222295163ff1caa1681fac09120eca307586e1a7"
        + "8cb82807230e1321d3fae00d18cc2012")
    let plain = bytes(
      "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
        + "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710")
    #expect(try key.decrypt(secret, start: start) == plain)
    #expect(try key.decrypt(Array(secret.dropLast()), start: start) == nil)
    #expect(try key.decrypt(Array(secret.dropLast(16)), start: start) == nil)
    #expect(try key.decrypt([], start: start) == nil)
    // "000102030405060708090a0b0c0d0e10" by openssl: the last byte alone is one of padding.
    let unpadded = bytes("6713c45185cdbd3be7a22b3b0a59b071")
    #expect(try key.decrypt(unpadded, start: start) == nil)
    #expect(throws: SoundFileError.self) { try HLSKey([1, 2, 3], name: "x") }
  }
}
