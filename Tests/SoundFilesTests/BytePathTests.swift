// SPDX-License-Identifier: Apache-2.0

import SoundFiles
import TestSeeds
import Testing

@Suite struct BytePathTests {
  @Test(
    arguments: [
      ([0x61, 0xE9, 0x2E], "a\\xE9."), ([0xC3, 0xA9], "é"), ([0xC3], "\\xC3"),
      ([0xC3, 0xC3, 0xA9, 0x80], "\\xC3é\\x80"), ([0xED, 0xA0, 0x80], "\\xED\\xA0\\x80"),
      ([0xF0, 0x9F, 0x8E, 0xB5, 0xFF], "🎵\\xFF"), ([], ""),
    ] as [([UInt8], String)])
  func `bytes that are no UTF-8 are shown as such, the others as text`(bytes: [UInt8], text: String)
  {
    #expect(BytePath(bytes: bytes).text == text)
    #expect(BytePath(bytes: bytes).bytes == bytes)
  }

  @Test func `any bytes come back`() {
    var random = SplitMix64(seed: 35)
    for _ in 0..<10_000 {
      let bytes = (0..<Int.random(in: 0...12, using: &random)).map { _ in
        [0x2F, 0x2E, 0xC3, 0xA9, 0xE2, 0x82, 0xAC, UInt8.random(in: 0...255, using: &random)]
          .randomElement(using: &random)!
      }
      #expect(BytePath(bytes: bytes).bytes == bytes)
      #expect(BytePath(bytes: bytes) == BytePath(bytes: bytes))
      #expect(BytePath(bytes: bytes) != BytePath(bytes: bytes + [0x41]))
    }
  }

  @Test func `names that look alike are different files`() {
    let (one, two) = (BytePath("e\u{301}"), BytePath("\u{E9}"))
    #expect(one.text == two.text)
    #expect(one != two)
    #expect(Set([one, two]).count == 2)
  }

  @Test(arguments: [
    ("file:///a%20b", "/a b"), ("FILE://host/a%2520b", "/a%20b"), ("file://name", "name"),
    ("file:/a", nil), ("http://x/a", nil), ("a", nil),
  ])
  func `addresses of files are decoded once`(address: String, path: String?) {
    #expect(BytePath(address: BytePath(address))?.text == path)
  }

  @Test(arguments: [
    ("http://x", true), ("a+b.c-1://x", true), ("://x", false), ("1a://x", false),
    ("a b://x", false), ("a:/x", false), ("/a/http://x", false),
  ])
  func `an address begins with a scheme`(path: String, isAddress: Bool) {
    #expect(BytePath(path).isAddress == isAddress)
  }

  @Test(arguments: [
    ("a/b.FLAC", "b.FLAC", "flac"), ("a.b/c", "c", nil), ("/", "/", nil), ("x.", "x.", ""),
    ("", "", nil),
  ])
  func `a name is the last part, its extension what follows the last dot`(
    path: String, name: String, fileExtension: String?
  ) {
    #expect(BytePath(path).name.text == name)
    #expect(BytePath(path).fileExtension == fileExtension)
  }
}
