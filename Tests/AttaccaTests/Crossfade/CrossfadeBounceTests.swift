// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Foundation
@testable import Rendering
import TestFixtures
import Testing

/// Items that overlap in a rendering without a player, and by another program.
@Suite struct CrossfadeBounceTests {
  private func constant(_ value: Double, rate: Int, frames: Int, gain: Float = 0) -> PlaylistItem {
    PlaylistItem(
      GeneratorSource(
        name: "constant", format: AudioFormat(sampleRate: rate, layout: .mono),
        frameCount: Int64(frames)
      ) { samples, first in
        for i in samples.indices {
          samples[i] = Float(value) + Float((first + Int64(i)) % 100_003) / 1_000_000
        }
      }, gain: gain)
  }

  @Test(arguments: ItemCrossfade.Curve.allCases)
  func `a rendering is what a player plays, to the bit`(curve: ItemCrossfade.Curve) {
    let items = [
      constant(0.5, rate: 44_100, frames: 200_000), constant(0.25, rate: 96_000, frames: 30_000),
      constant(0.3, rate: 96_000, frames: 400_000, gain: -3),
      constant(0.4, rate: 48_000, frames: 100_000, gain: 2),
      constant(0.1, rate: 48_000, frames: 1), constant(0.2, rate: 44_100, frames: 100_000),
    ]
    let crossfade = ItemCrossfade(duration: MediaTime(value: 1, timescale: 1), curve: curve)
    let playback = OfflinePlayback(format: CrossfadePlayback.format)
    playback.player.playlist.append(contentsOf: items)
    playback.player.crossfade = crossfade
    let played = playback.playToEnd()
    var bounced: [Float] = []
    Bounce(items, format: CrossfadePlayback.format, crossfade: crossfade).render {
      bounced.append(contentsOf: $0)
    }
    #expect(bounced.count == played.count)
    #expect(firstDifference(bounced, played) == nil)
  }

  @Test func `an item that cannot be opened is left out, and its neighbours do not overlap`() {
    let missing = PlaylistItem(path: "/nonexistent.flac")
    let items = [
      CrossfadePlayback.item(0, length: 30_000), missing, CrossfadePlayback.item(1, length: 30_000),
      CrossfadePlayback.item(2, length: 30_000),
    ]
    var model = CrossfadePlayback.model([30_000, 30_000, 30_000], wanted: 12_000)
    model.apart = [0]
    let crossfade = ItemCrossfade(duration: MediaTime(value: 1, timescale: 4))
    var bounced: [Float] = []
    var failures = 0
    Bounce(items, format: CrossfadePlayback.format, crossfade: crossfade).render {
      bounced.append(contentsOf: $0)
    } failed: { _ in
      failures += 1
    }
    #expect(failures == 1)
    let playback = CrossfadePlayback(crossfade: 12_000)
    playback.player.playlist.append(contentsOf: items)
    for heard in [bounced, playback.offline.playToEnd()] {
      #expect(heard.count == model.count)
      #expect(furthest(heard, model.samples).distance < 2e-7)
    }
  }

  @Test(arguments: [(ItemCrossfade.Curve.linear, "tri"), (.equalPower, "qsin")])
  func `a crossfade of 5 s is that of ffmpeg within a step of 16 bits`(
    curve: ItemCrossfade.Curve, name: String
  ) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "crossfade \(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { removeFolder(folder) }
    let paths = ["a.wav", "b.wav", "out.wav"].map { folder.appending(path: $0).path }
    let format = AudioFormat(sampleRate: 44_100, layout: .stereo)
    for (number, path) in paths.prefix(2).enumerated() {
      let type = try WrittenFileType(path: BytePath(path), sampleFormat: .int16)
      let writer = try SoundFileWriter(
        path: BytePath(path), format: format, fileType: type, dither: false)
      let samples = (0..<(2 * 8 * 44_100)).map { i in
        Float((i * (7_919 + 2 * number)) % 40_001 - 20_000) / 32_768
      }
      try samples.withUnsafeBufferPointer { try writer.write($0) }
      try writer.finish()
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "ffmpeg", "-v", "error", "-i", paths[0], "-i", paths[1], "-filter_complex",
      "acrossfade=d=5:c1=\(name):c2=\(name)", paths[2],
    ]
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "127 means: apt-get install ffmpeg")
    let wanted = try decodedByFFmpeg(paths[2])
    let crossfade = ItemCrossfade(duration: MediaTime(value: 5, timescale: 1), curve: curve)
    var heard: [Float] = []
    Bounce(paths.prefix(2).map { PlaylistItem(path: $0) }, format: format, crossfade: crossfade)
      .render { heard.append(contentsOf: $0) }
    #expect(heard.count == 2 * 11 * 44_100)
    #expect(wanted.count == heard.count)
    let rounded = heard.map { ($0 * 32_768).rounded() }
    let worst = zip(rounded, wanted).map { abs($0 - $1 * 32_768) }.max() ?? .infinity
    #expect(worst <= 1)
  }

  private func removeFolder(_ folder: URL) {
    do {
      try FileManager.default.removeItem(at: folder)
    } catch {
      Issue.record(error)
    }
  }
}
