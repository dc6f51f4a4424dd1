// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Foundation
import Synchronization
import TestFixtures
import Testing

/// What files say, loaded without playing them.
@Suite struct AudioAssetTests {
  private static func path(_ fixture: String) -> String { Fixtures.path(fixture) }

  @Test func `properties are loaded together, by one opening, and then told at once`() async throws
  {
    let asset = AudioAsset(path: Self.path("formats/flac16.flac"))
    guard case .notYetLoaded = asset.status(of: .duration) else { Issue.record("loaded"); return }
    let (duration, tags, chapters) = try await asset.load(.duration, .tags, .chapters)
    #expect(duration.isNumeric && duration > .zero && chapters.isEmpty)
    guard case .loaded(duration) = asset.status(of: .duration),
      case .loaded(tags) = asset.status(of: .tags)
    else { Issue.record("not loaded"); return }
    #expect(try await asset.load(.format).sampleRate > 0)
  }

  @Test
  func `what cannot be opened fails with its error, and is tried again when it is asked for again`()
    async throws
  {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "asset-\(UUID().uuidString)")
    let asset = AudioAsset(path: folder.path)
    await #expect(throws: SoundFileError.self) { try await asset.load(.tags) }
    guard case .failed(let error as SoundFileError) = asset.status(of: .tags) else {
      Issue.record("\(asset.status(of: .tags))")
      return
    }
    #expect(error.kind == .missing)
    try FileManager.default.copyItem(atPath: Self.path("formats/flac16.flac"), toPath: folder.path)
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(try await asset.load(.duration).isNumeric)
  }

  @Test func `a clip has the times of what it plays, and its own tags`() async throws {
    var tags = Tags()
    tags.title = "Clip"
    let source = ChapteredSource("book", frames: 80_000, [Chapter("A", 0), Chapter("B", 20_000)])
    let time = { MediaTime(value: $0, timescale: Int32(ChapteredSource.rate)) }
    let item = PlaylistItem(source, start: time(10_000), end: time(30_000), tags: tags)
    let (duration, title, chapters) = try await AudioAsset(item).load(.duration, .tags, .chapters)
    #expect(duration == time(20_000) && title.title == "Clip")
    #expect(chapters == [Chapter("A", 0), Chapter("B", 10_000)])
  }

  @Test
  func `a length that only the whole file tells is indefinite, unless a precise one is preferred`()
    async throws
  {
    let searched = SearchedAsset(frames: 12_345)
    #expect(try await AudioAsset(PlaylistItem(searched)).load(.duration).isIndefinite)
    let file = try Self.longMP3()
    defer { try? FileManager.default.removeItem(atPath: file) }
    let fast = AudioAsset(path: file)
    #expect(try await fast.load(.duration).isIndefinite)
    let asset = AudioAsset(path: file, options: .prefersPreciseDuration)
    let exact = try await asset.load(.duration)
    let sound = try SoundFile(path: file, pool: FramePool())
    sound.lengthSearch?.run()
    let frames = try #require(sound.frameCount)
    #expect(exact == MediaTime(value: frames, timescale: Int32(sound.format.sampleRate)))
    guard case .loaded(exact) = asset.status(of: .duration) else {
      Issue.record("not loaded"); return
    }
  }

  @Test func `what is cancelled lets go of who waits, and may be loaded anew`() async throws {
    let gate = OpeningSource()
    let asset = AudioAsset(PlaylistItem(gate))
    let task = Task { try await asset.load(.tags) }
    await gate.isOpened()
    guard case .loading = asset.status(of: .tags) else { Issue.record("not loading"); return }
    asset.cancelLoading()
    await #expect(throws: CancellationError.self) { try await task.value }
    guard case .notYetLoaded = asset.status(of: .tags) else { Issue.record("loaded"); return }
    // One task that gives up leaves the others alone.
    let (first, second) = (
      Task { try await asset.load(.tags) }, Task { try await asset.load(.tags) }
    )
    await gate.isOpened()
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    gate.release()
    #expect(try await second.value.title == "There")
  }

  /// A file of some minutes that has no count.
  private static func longMP3() throws -> String {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path("formats/mp3-cbr-no-header.mp3"))))
    let path = FileManager.default.temporaryDirectory.appending(
      path: "long-\(UUID().uuidString).mp3"
    ).path
    var all = bytes
    while all.count < 1 << 20 { all += bytes }
    try Data(all).write(to: URL(filePath: path))
    return path
  }
}

/// A source whose length nothing tells.
private struct SearchedAsset: AudioSource {
  let name = "searched"
  let frames: Int64

  func open() async throws -> sending any AudioSourceReader { Reader() }

  private final class Reader: AudioSourceReader {
    let format = AudioFormat(sampleRate: 8_000, layout: .mono)
    let frameCount: Int64? = nil
    func seek(to frame: Int64) {}
    func read(into samples: UnsafeMutableBufferPointer<Float>) -> AudioRead { .end }
  }
}

/// A source that opens when it is told to, or not.
private final class OpeningSource: AudioSource {
  let name = "gate"
  private let (openings, opening) = AsyncStream.makeStream(of: Void.self)
  private let isReleased = Atomic<Bool>(false)

  /// Waits until somebody opens it.
  func isOpened() async { for await _ in openings { return } }
  func release() { isReleased.store(true, ordering: .relaxed) }

  func open() async throws -> sending any AudioSourceReader {
    opening.yield()
    while !isReleased.load(ordering: .relaxed) {
      try Task.checkCancellation()
      await Task.yield()
    }
    return Reader()
  }

  private final class Reader: AudioSourceReader {
    let format = AudioFormat(sampleRate: 8_000, layout: .mono)
    let frameCount: Int64? = 8_000
    var tags: Tags {
      var tags = Tags()
      tags.title = "There"
      return tags
    }
    func seek(to frame: Int64) {}
    func read(into samples: UnsafeMutableBufferPointer<Float>) -> AudioRead { .end }
  }
}
