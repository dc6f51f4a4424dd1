// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Foundation
@testable import Rendering
import SoundFiles
import TestFixtures
import Testing

@Suite struct ReversedSourceTests {
  private let pool = FramePool()

  private func open(_ path: String) throws -> SoundFile { try SoundFile(path: path, pool: pool) }

  /// All frames of `source` from where it is, read `frames` at a time.
  private func samples(_ source: some FrameSource, by frames: Int) throws -> [Float] {
    var samples: [Float] = []
    while let chunk = try source.read(frames: frames) {
      let count = chunk.frameCount * chunk.format.channelCount
      samples += UnsafeBufferPointer(start: chunk.storage.samples, count: count)
    }
    return samples
  }

  private func reversed(_ samples: [Float], channels: Int) -> [Float] {
    stride(from: samples.count - channels, through: 0, by: -channels).flatMap {
      samples[$0..<($0 + channels)]
    }
  }

  @Test(arguments: CountedFixture.all.filter { $0.frames < 100_000 })
  func `a file of any format is its frames, the last one first`(item: CountedFixture) throws {
    let file = try open(item.path)
    guard file.frameCount != nil else {
      #expect { try ReversedSource(file, path: item.path) } throws: {
        ($0 as? SoundFileError)?.kind == .unsupported
      }
      return
    }
    let channels = file.format.channelCount
    let forwards = try samples(try open(item.path), by: 10_000)
    let backwards = try ReversedSource(file, path: item.path)
    #expect(backwards.frameCount == item.frames)
    let heard = try samples(backwards, by: 7_001)
    #expect(heard.count == forwards.count)
    // What a lossy decoder carries over from before no seek restores to the last bit.
    let tolerance: Float = if case .lossy = file.fileFormat.encoding { 0.02 } else { 0 }
    let wanted = reversed(forwards, channels: channels)
    #expect(zip(heard, wanted).allSatisfy { abs($0 - $1) <= tolerance })
    let middle = Int(item.frames) / 3
    try backwards.seek(to: Int64(middle))
    let rest = try samples(backwards, by: 999)
    #expect(rest.count == wanted.count - middle * channels)
    #expect(zip(rest, wanted[(middle * channels)...]).allSatisfy { abs($0 - $1) <= tolerance })
  }

  @Test func `a file that is cut short begins where it really ends`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      UUID().uuidString, isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for name in ["album-uncut.flac", "cut/uncut.flac"] {
      let whole = try Data(contentsOf: URL(fileURLWithPath: Fixtures.path(name)))
      let path = folder.appendingPathComponent("cut.flac").path
      try whole.prefix(whole.count / 3).write(to: URL(fileURLWithPath: path))
      let forwards = try samples(try open(path), by: 10_000)
      #expect(!forwards.isEmpty)
      let file = try open(path)
      let backwards = try ReversedSource(file, path: path)
      #expect(backwards.frameCount.map { Int($0) } == forwards.count / file.format.channelCount)
      let wanted = reversed(forwards, channels: file.format.channelCount)
      #expect(firstDifference(try samples(backwards, by: 48_000), wanted) == nil)
      #expect(backwards.truncation?.kind == .truncated)
    }
  }
}
