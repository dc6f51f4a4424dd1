// SPDX-License-Identifier: Apache-2.0

import Foundation
import SampleBuffers
import SoundFiles
import Testing

/// Files whose number of bytes becomes known while they are opened and read, as one that a server sends in pieces.
@Suite struct SizeKnownLateTests {
  private static let files = [
    "mp3-cbr.mp3", "mp3-cbr-no-header.mp3", "mp3-after-junk.mp3", "flac16.flac",
    "vorbis-mono-22050.ogg", "vorbis-chained-rates.ogg", "opus-mono.opus", "wav-from-pipe.wav",
    "wav24.wav", "rf64.wav", "w64.w64", "aiff24.aiff", "caf24.caf",
  ].map { Fixture.named("formats/\($0)")[0] }

  /// Looks at a file's size, from the first on, each of which is once the first that finds it: 22 open an MP3.
  private static let each = 40

  @Test(arguments: files)
  func `a size that becomes known at any look changes no frame`(fixture: Fixture) throws {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: fixture.path)))
    let expected = try Decoded(path: fixture.path)
    let all = try looks(bytes, fixture, knownAt: .max, expected)
    for look in 0..<min(Self.each, all) {
      _ = try looks(bytes, fixture, knownAt: look, expected)
    }
    for look in stride(from: Self.each, to: all, by: max(1, all / 8)) {
      _ = try looks(bytes, fixture, knownAt: look, expected)
    }
  }

  @Test func `a file whose length was never written has none while nobody knows its size`() throws {
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: Fixture.path("formats/wav16.wav"))))
    // The length of the samples, as a recorder leaves it that was killed.
    bytes.replaceSubrange(40..<44, with: [0, 0, 0, 0])
    #expect(bytes[36..<40].elementsEqual("data".utf8))
    let file = try SoundFile(GrowingFile(bytes, knownAt: .max), name: "killed", pool: FramePool())
    #expect(file.frameCount == nil)
    let frames = try Decoded(rest: file).frameCount
    #expect(frames == (bytes.count - 44) / 4)
    #expect(file.frameCount == Int64(frames))
  }

  /// Compares what is read of `bytes` with `expected`, where their number is known from a look on, or at the end.
  ///
  /// - Returns: How many looks at it there were.
  private func looks(
    _ bytes: [UInt8], _ fixture: Fixture, knownAt look: Int, _ expected: Decoded
  ) throws -> Int {
    let remote = GrowingFile(bytes, knownAt: look)
    do {
      let file = try SoundFile(remote, name: fixture.name, pool: FramePool())
      let read = try Decoded(rest: file)
      #expect(read.parts.map(\.format) == expected.parts.map(\.format), "look \(look)")
      #expect(read.parts.map(\.samples) == expected.parts.map(\.samples), "look \(look)")
    } catch {
      Issue.record("known at look \(look): \(error)")
    }
    return remote.looks
  }
}

/// A file that comes in order, and whose size nobody knows at first.
private final class GrowingFile: RemoteBytes {
  private let bytes: [UInt8]
  private let knownAt: Int
  private(set) var looks = 0
  private var isKnown = false

  init(_ bytes: [UInt8], knownAt: Int) { (self.bytes, self.knownAt) = (bytes, knownAt) }

  var size: Int64? {
    isKnown = isKnown || looks >= knownAt
    looks += 1
    return isKnown ? Int64(bytes.count) : nil
  }

  let isSequential = true

  func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard offset < bytes.count else {
      isKnown = true
      return 0
    }
    let piece = bytes[Int(offset)...].prefix(buffer.count)
    buffer.copyBytes(from: piece)
    return piece.count
  }
}
