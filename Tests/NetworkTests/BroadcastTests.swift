// SPDX-License-Identifier: Apache-2.0

import Foundation
import SampleBuffers
import SoundFiles
import TestFixtures
import TestSeeds
import Testing

@testable import Attacca
@testable import AttaccaNetwork

/// Broadcasts with titles in them.
@Suite("Broadcasts") struct BroadcastTests {
  let server = RangeServer.shared

  @Test(arguments: [1, 7, 100, 4_096])
  func `titles stand where they were sent, however the bytes come`(piece: Int) {
    let sound = (0..<1_000).map { UInt8(truncatingIfNeeded: $0) }
    var bytes: [UInt8] = []
    for (i, start) in stride(from: 0, to: 1_000, by: 100).enumerated() {
      bytes += sound[start..<start + 100]
      let text = i % 3 == 0 ? Array("StreamTitle='a';b';c \(i)';".utf8) : []
      let size = (text.count + 15) / 16
      bytes += [UInt8(size)] + text + [UInt8](repeating: 0, count: size * 16 - text.count)
    }
    var (stripper, heard, titles) = (TitleStripper(interval: 100), [UInt8](), [Int: String]())
    for start in stride(from: 0, to: bytes.count, by: piece) {
      bytes[start..<min(start + piece, bytes.count)].withUnsafeBytes { bytes in
        var (sound, found) = ([UInt8](), [(Int, String)]())
        let before = heard.count
        stripper.strip(bytes) {
          sound += $0
        } changed: {
          found.append((before + sound.count, $0))
        }
        heard += sound
        for (place, title) in found { titles[place] = title }
      }
    }
    #expect(heard == sound)
    #expect(titles == [100: "a"])
  }

  @Test(arguments: [
    ("StreamTitle='It's';StreamUrl='x';", "It's"), ("StreamTitle='';", ""),
    ("StreamUrl='';StreamTitle='a", "a"), ("nothing", nil),
  ])
  func `a title ends with a quote and a semicolon`(block: String, title: String?) {
    #expect(TitleStripper.text(of: Array(block.utf8)) == title)
  }

  @Test func `a title is of the packet that it stands in front of`() throws {
    let path = "formats/mp3-cbr-no-header.mp3"
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: Fixtures.path(path))))
    try server.put(bytes, "radio.mp3")
    let source = try #require(HTTPSource(server.address("icy=500", "radio.mp3")))
    let frames = NetworkFrames(source, pool: FramePool())
    try frames.open()
    #expect(frames.frameCount == nil)
    #expect(source.isBroadcast == true)
    var (samples, changes, failure) = ([Float](), [TagChange](), SoundFileError?.none)
    while failure == nil {
      do {
        guard let chunk = try frames.read(frames: 10_000) else { break }
        samples += UnsafeBufferPointer(
          start: chunk.storage.samples, count: chunk.frameCount * chunk.format.channelCount)
        changes += frames.takeTagChanges()
      } catch is SourceIsWaiting {
      } catch {
        failure = error as? SoundFileError
      }
    }
    // The broadcast does not go on, and has been asked for again.
    #expect(failure?.kind == .missing)
    let expected = try Fixtures.samples(path)
    #expect(firstDifference(samples, expected) == nil)
    let count = (bytes.count / 500 + 7) / 8
    #expect(changes.map(\.tags.title) == (0..<count).map { "It''s \($0)" })
    let channels = frames.format.channelCount
    for (i, change) in changes.enumerated() {
      let place = Double(500 + i * 4_000)
      let frame = place / Double(bytes.count) * Double(expected.count / channels)
      #expect(abs(Double(change.frame) - frame) <= 1_152, "\(i): \(change.frame), not \(frame)")
    }
  }

  @Test(arguments: [
    "formats/vorbis-chained.ogg", "album/08 opus.opus", "album/07 vorbis.ogg",
  ])
  func `a broadcast of Ogg is heard link by link as its bytes come`(path: String) async throws {
    let name = path.split(separator: "/").last!.replacing(" ", with: "-")
    try server.put(
      Array(Data(contentsOf: URL(fileURLWithPath: Fixtures.path(path)))), "radio-\(name)")
    let source = try #require(HTTPSource(server.address("radio", "radio-\(name)")))
    let reader = try await source.open()
    #expect(source.isBroadcast == true)
    #expect(reader.frameCount == nil)
    let heard = Heard.reading(reader)
    #expect(firstDifference(heard.samples, try Fixtures.samples(path)) == nil)
    // It does not go on.
    #expect(heard.error?.kind == .missing)
  }

  @Test(.timeLimit(.minutes(5)), arguments: HTTPOptions.LivePolicy.allCases)
  func `behind a pause a broadcast goes on where it was, or with what is sent then`(
    policy: HTTPOptions.LivePolicy
  ) async throws {
    let path = try EncodedFile.path("-c:a libmp3lame -b:a 128k -write_xing 0", "pause.mp3")
    let one = try TemporaryFolder.bytes(at: path)
    let bytes = Array((0..<8).map { _ in one }.joined())
    let name = "pause-\(policy).mp3"
    try server.put(bytes, name)
    let file = try SoundFile(path: "\(server.folder)/\(name)", pool: FramePool())
    var expected: [Float] = []
    while let chunk = try file.read(frames: 65_536) {
      expected += UnsafeBufferPointer(start: chunk.storage.samples, count: chunk.frameCount * 2)
    }
    var options = HTTPOptions()
    options.livePolicy = policy
    options.silenceLimit = 1_000
    let mode = policy == .holds ? "radio" : "station"
    let source = try #require(HTTPSource(server.address(mode, name), options: options))
    // A clock of the listener's: between the second read and the third an hour passes.
    var reads = 0
    let frames = NetworkFrames(source, pool: FramePool()) {
      reads += 1
      return reads > 2 ? 3_600_000_000_000 : 1
    }
    try frames.open()
    var samples: [Float] = []
    var failure: SoundFileError?
    while failure == nil {
      do {
        guard let chunk = try frames.read(frames: 1_000) else { break }
        samples += UnsafeBufferPointer(start: chunk.storage.samples, count: chunk.frameCount * 2)
      } catch is SourceIsWaiting {
      } catch {
        failure = error as? SoundFileError
      }
    }
    #expect(failure?.kind == .missing)
    let requests = try server.requests(mode, name)
    if policy == .holds {
      #expect(firstDifference(samples, expected) == nil)
    } else {
      // What was ready is heard, and then the last quarter, but for frames that its first ones would need.
      #expect(requests.count == 3, "\(requests)")
      #expect(samples.count < expected.count / 2, "\(samples.count) of \(expected.count)")
      let tail = expected.count / 5
      let difference = zip(samples.suffix(tail), expected.suffix(tail)).map { abs($0 - $1) }.max()
      #expect(try #require(difference) < 1e-5)
    }
  }
}
