// SPDX-License-Identifier: Apache-2.0

import SampleBuffers
import SoundFiles
import TestFixtures
import Testing

/// Files of next to nothing, with tags before and behind what there is.
@Suite struct SmallFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// What may stand before the audio, and behind it.
  private static let fronts: [(name: String, bytes: [UInt8])] = [
    ("nothing", []), ("ID3v2", TagBytes.id3v2()), ("APE", TagBytes.ape()),
    ("ID3v2 twice", TagBytes.id3v2() + TagBytes.id3v2()),
  ]
  private static let backs: [(name: String, bytes: [UInt8])] = [
    ("nothing", []), ("ID3v1", TagBytes.id3v1()), ("APE", TagBytes.ape()),
    ("APE and ID3v1", TagBytes.ape() + TagBytes.id3v1()),
    ("Lyrics3 and ID3v1", TagBytes.lyrics3() + TagBytes.id3v1()),
    ("APE, Lyrics3 and ID3v1", TagBytes.ape() + TagBytes.lyrics3() + TagBytes.id3v1()),
    ("ID3v2", TagBytes.id3v2()),
  ]

  /// Opens, reads and seeks; nil where all is as it should be.
  private func fault(_ bytes: [UInt8], frames: Int, name: String) throws -> String? {
    let path = try folder.file(name, bytes)
    do {
      let file = try SoundFile(path: path, pool: FramePool())
      if file.frameCount != Int64(frames) { return "\(file.frameCount ?? -1) frames are told" }
      let decoded = try Decoded(rest: file)
      if decoded.frameCount != frames { return "\(decoded.frameCount) frames are read" }
      if let truncation = file.truncation { return "\(truncation)" }
      try file.seek(to: Int64(frames) - 1)
      let last = try file.read(frames: 10)
      if last?.frameCount != 1 { return "\(last?.frameCount ?? 0) frames behind a seek" }
      try file.seek(to: 0)
      if try Decoded(rest: file).frameCount != frames { return "other frames the second time" }
      return nil
    } catch {
      return "\(error)"
    }
  }

  // 100 ms are 4 MPEG frames; 38 are just below 16 KiB, and 45 above it.
  @Test(arguments: [1, 2, 3, 4, 38, 39, 45])
  func `an MP3 of a few frames is as long as they are, with any tag before and behind`(
    count: Int
  ) throws {
    let (plain, counted) = (
      try MPEGFrames(of: "formats/mp3-cbr-no-header.mp3"),
      try MPEGFrames(of: "formats/mp3-cbr.mp3")
    )
    var faults: [String] = []
    for front in Self.fronts {
      for back in Self.backs {
        let name = "\(count) frames, \(front.name) before, \(back.name) behind"
        let stream = front.bytes + plain.stream(count) + back.bytes
        if let fault = try fault(stream, frames: count * 1_152, name: "plain.mp3") {
          faults.append("\(name): \(fault)")
        }
        let other = front.bytes + (try counted.countedStream(count)) + back.bytes
        let heard = count * 1_152 - MPEGFrames.trimmed
        if let fault = try fault(other, frames: heard, name: "counted.mp3") {
          faults.append("\(name), counted: \(fault)")
        }
      }
    }
    #expect(faults.isEmpty, "\(faults.count): \(faults.prefix(40).joined(separator: "\n"))")
  }

  @Test func `the shortest frame there is plays, with a tag and without`() throws {
    // 32 kbit/s at 48 kHz: 96 bytes, less than a tag.
    let frame: [UInt8] = [0xFF, 0xFB, 0x14, 0xC4] + [UInt8](repeating: 0, count: 92)
    for tag in [[], TagBytes.id3v1()] {
      #expect(try fault(frame + tag, frames: 1_152, name: "shortest.mp3") == nil)
    }
  }

  @Test func `the tags of a small MP3 are read, those before it first`() throws {
    let stream = try MPEGFrames(of: "formats/mp3-cbr-no-header.mp3").stream(4)
    func title(_ bytes: [UInt8]) throws -> String? {
      try SoundFile(path: try folder.file("tagged.mp3", bytes), pool: FramePool()).tags.title
    }
    #expect(try title(stream + TagBytes.id3v1(title: "behind")) == "behind")
    #expect(
      try title(TagBytes.id3v2(title: "before") + stream + TagBytes.id3v1(title: "behind"))
        == "before")
  }

  @Test(arguments: WrittenFileType.Container.allCases, [1, 2, 4_410])
  func `a file of a few frames is as long as it is, with any tag behind`(
    container: WrittenFileType.Container, frames: Int
  ) throws {
    let path = "\(folder.path)/written.\(container.rawValue)"
    let isLossy = container == .opus || container == .ogg
    let rate = container == .opus ? 48_000 : 44_100
    let writer = try SoundFileWriter(
      path: path, format: AudioFormat(sampleRate: rate, layout: .stereo),
      fileType: WrittenFileType(container: container, sampleFormat: isLossy ? .float32 : .int16))
    try [Float](repeating: 0.25, count: 2 * frames).withUnsafeBufferPointer { try writer.write($0) }
    try writer.finish()
    let bytes = try TemporaryFolder.bytes(at: path)
    for back in Self.backs {
      let name = "tagged.\(container.rawValue)"
      let fault = try fault(bytes + back.bytes, frames: frames, name: name)
      #expect(fault == nil, "\(container.rawValue), \(frames) frames, \(back.name) behind")
    }
    if container == .flac {
      let fault = try fault(
        TagBytes.id3v2() + bytes + TagBytes.id3v1(), frames: frames, name: "both.flac")
      #expect(fault == nil)
    }
  }
}
