// SPDX-License-Identifier: Apache-2.0

import Attacca
import Foundation
import TestFixtures
import Testing

@Suite struct LossyJointTests {
  /// `fixtures/joints/lossy`: these frames of the uncut piece, by each coder.
  private static let cuts = [139_201, 170_001, 203_335, 236_002]
  /// Half an MP3 frame to each side of a joint: what coders do at an end is not lost in the rest.
  private static let reach = 576

  private struct Parts: CustomTestStringConvertible {
    let names: [String]
    var testDescription: String { names.joined(separator: ", ") }
    var paths: [String] { names.map { Fixtures.path("joints/lossy/\($0)") } }
  }

  private static let parts = [
    Parts(names: ["lame-1.mp3", "lame-2.mp3", "lame-3.mp3"]),
    Parts(names: ["lavc-1.mp3", "lavc-2.mp3", "lavc-3.mp3"]),
    Parts(names: ["vorbis-1.ogg", "vorbis-2.ogg", "vorbis-3.ogg"]),
    Parts(names: ["opus-1.opus", "opus-2.opus", "opus-3.opus"]),
    Parts(names: ["lavc-1.mp3", "opus-2.opus", "lame-3.mp3"]),
    Parts(names: ["opus-1.opus", "lame-2.mp3", "vorbis-3.ogg"]),
  ]

  /// The largest and the mean square deviation from the uncut piece around the joint at `frame`.
  private func error(_ heard: [Float], _ uncut: [Float], joint: Int) -> (
    largest: Float, power: Double
  ) {
    var (largest, power): (Float, Double) = (0, 0)
    for i in 2 * (joint - Self.reach)..<2 * (joint + Self.reach) {
      let error = abs(heard[i] - uncut[i])
      largest = max(largest, error)
      power += Double(error) * Double(error)
    }
    return (largest, power / Double(4 * Self.reach))
  }

  @Test(arguments: Self.parts)
  private func `lossy parts lose no frame and join no worse than what ffmpeg decodes, joined`(
    parts: Parts
  ) throws {
    let whole = try Fixtures.samples("cut/uncut.flac")
    let uncut = Array(whole[2 * Self.cuts[0]..<2 * Self.cuts[3]])
    let heard = OfflinePlayback(parts.paths).playToEnd()
    #expect(heard.count == uncut.count)
    var joined = try parts.paths.flatMap(decodedByFFmpeg)
    // Should it lose frames, its error is that of what it leaves.
    joined += repeatElement(0, count: max(0, uncut.count - joined.count))
    for cut in Self.cuts[1...2] {
      let joint = cut - Self.cuts[0]
      let (ours, theirs) = (error(heard, uncut, joint: joint), error(joined, uncut, joint: joint))
      // Decoders round differently: -100 dBFS, where the coders' own error is -27.
      #expect(ours.largest <= theirs.largest + 1e-5)
      #expect(ours.power.squareRoot() <= theirs.power.squareRoot() + 1e-5)
    }
  }
}
