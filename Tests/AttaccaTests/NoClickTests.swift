// SPDX-License-Identifier: Apache-2.0

import Attacca
import Foundation
@testable import Rendering
import TestSeeds
import Testing

/// 200 splices of a tone, on an offline renderer that is pulled to the frame.
@Suite struct NoClickTests {
  private static let length = 10 * 48_000
  /// The largest step between two frames of 100 Hz and amplitude 0.5.
  private static let toneStep = Float(2 * 0.5 * sin(.pi / 480))

  private let folder: Folder
  private let paths: [String]

  init() throws {
    let folder = try Folder()
    self.folder = folder
    paths = try (0..<4).map { try Self.write("\(folder.path)/\($0).wav", phase: Double($0) / 7) }
  }

  /// A folder that goes with the suite.
  private final class Folder {
    let path = FileManager.default.temporaryDirectory.appending(path: "attacca-\(UUID())").path

    init() throws {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try! FileManager.default.removeItem(atPath: path) }
  }

  private static func write(_ path: String, phase: Double) throws -> String {
    let writer = try SoundFileWriter(
      path: path, format: AudioFormat(sampleRate: 48_000, layout: .stereo),
      fileType: WrittenFileType(container: .wav, sampleFormat: .float32))
    let tone = (0..<2 * length).map { i in
      Float(0.5 * sin(2 * .pi * (Double(i / 2) / 480 + phase)))
    }
    try tone.withUnsafeBufferPointer { try writer.write($0) }
    try writer.finish()
    return path
  }

  @Test func `of 200 splices of a tone none makes a step of more than 1.5 of the tone's own`()
    throws
  {
    var generator = SplitMix64()
    let playback = OfflinePlayback((0..<800).map { paths[$0 % 4] })
    let (player, playlist) = (playback.player, playback.player.playlist)
    player.play()
    var heard = playback.pull(4_800)
    // The beginning of a file is its own affair: it starts at another phase than zero.
    let begin = heard.firstIndex { $0 != 0 }! + 2
    var index = 0
    for _ in 0..<50 {
      let frame = Int64.random(in: 0..<Int64(Self.length / 2), using: &generator)
      let edits: [() -> Void] = [
        { player.seek(to: MediaTime(value: frame, timescale: 48_000)) },
        {
          player.next()
          index += 1
        },
        {
          playlist.insert(PlaylistItem(path: paths[0]), at: index + 1)
          player.next()
          index += 1
        },
        { playlist.remove(at: index) },
      ]
      for edit in edits {
        playback.splicing(edit)
        heard += playback.pull(.random(in: 960..<2_400, using: &generator))
        // What is current is told a little after it is heard.
        wait { player.currentItem == playlist[index] }
      }
    }
    var largest: Float = 0
    for i in stride(from: begin, to: heard.count - 2, by: 1) {
      largest = max(largest, abs(heard[i + 2] - heard[i]))
    }
    #expect(largest <= 1.5 * Self.toneStep, "seed \(generator.seed)")
    // Silence has no steps either: the tone is heard throughout, and is 0 for one frame at a time.
    var silent = 0
    var longestSilence = 0
    for i in stride(from: begin, to: heard.count, by: 2) {
      silent = heard[i] == 0 ? silent + 1 : 0
      longestSilence = max(longestSilence, silent)
    }
    #expect(longestSilence <= 1, "seed \(generator.seed)")
  }

  @Test func `a flush fades out, and what it has discarded comes up from silence`() throws {
    let playback = OfflinePlayback(paths)
    playback.player.play()
    var heard = playback.pull(4_800)
    let begin = heard.firstIndex { $0 != 0 }! + 2
    var generator = SplitMix64()
    for _ in 0..<20 {
      let line = playback.renderer.output.withLock { playback.renderer.line.generation }
      playback.renderer.flush()
      wait { playback.renderer.output.withLock { playback.renderer.line.generation } != line }
      playback.settle()
      heard += playback.pull(.random(in: 960..<2_400, using: &generator))
    }
    let steps = (begin..<heard.count - 2).map { abs(heard[$0 + 2] - heard[$0]) }
    // The fade of 240 frames comes on top.
    #expect(steps.max()! <= Self.toneStep + 0.5 / 240, "seed \(generator.seed)")
    #expect(heard.suffix(1_000).contains { $0 != 0 })
  }
}
