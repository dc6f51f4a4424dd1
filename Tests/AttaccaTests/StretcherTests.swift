// SPDX-License-Identifier: Apache-2.0

import Attacca
import AttaccaRubberBand
import Glibc
@testable import Rendering
import TestFixtures
import TestSeeds
import Testing

/// What a line relies on with a stretcher, which it gives frames as they come.
@Suite struct StretcherTests {
  private static let algorithms = [AudioTimePitchAlgorithm.timeDomain, .spectral]

  /// A second of a tone that swells at each tenth of it.
  private static let sound = (0..<48_000).map { frame in
    Float(frame % 4_800) / 9_600 * Float(sin(2 * Double.pi * 330 * Double(frame) / 48_000))
  }

  private func stretcher(
    _ algorithm: AudioTimePitchAlgorithm, _ speed: Double, rate: Int = 48_000
  ) throws -> any TimeStretcher {
    let make = try #require(algorithm.makeStretcher)
    return make(speed, AudioFormat(sampleRate: rate, layout: .mono))
  }

  private func pull(_ stretcher: any TimeStretcher) -> [Float] {
    var frames: [Float] = []
    var piece = [Float](repeating: 0, count: 1_000)
    while case let count = stretcher.pull(into: &piece, frameCount: piece.count), count > 0 {
      frames += piece[..<count]
    }
    return frames
  }

  // A bounce would differ from what is played.
  @Test(arguments: algorithms, [0.5, 0.8, 2, 3])
  func `the pieces that come make no difference`(
    _ algorithm: AudioTimePitchAlgorithm, speed: Double
  ) throws {
    var random = SplitMix64()
    let whole = try stretcher(algorithm, speed)
    let cut = try stretcher(algorithm, speed)
    var (expected, made): ([Float], [Float]) = ([], [])
    for _ in 0..<2 {
      whole.push(Self.sound, frameCount: Self.sound.count)
      expected += pull(whole)
      var done = 0
      while done < Self.sound.count {
        let count = min(.random(in: 1...2_000, using: &random), Self.sound.count - done)
        cut.push(Array(Self.sound[done...].prefix(count)), frameCount: count)
        done += count
        if Bool.random(using: &random) { made += pull(cut) }
      }
    }
    whole.end()
    cut.end()
    made += pull(cut)
    expected += pull(whole)
    #expect(made.count == expected.count, "seed \(random.seed)")
    #expect(firstDifference(made, expected) == nil, "seed \(random.seed)")
  }

  @Test(arguments: algorithms, [0.25, 0.5, 0.8, 1.3, 2, 4])
  func `no more is withheld than is said`(
    _ algorithm: AudioTimePitchAlgorithm, speed: Double
  ) throws {
    let stretcher = try stretcher(algorithm, speed)
    var (given, made, most) = (0, 0, 0)
    while given < 6 * 48_000 {
      for count in [1_024, 1] {
        stretcher.push(Self.sound, frameCount: count)
        given += count
        made += pull(stretcher).count
        most = max(most, Int(Double(given) / speed) - made)
      }
    }
    #expect(most <= stretcher.withheldFrames, "\(algorithm.name): \(most)")
  }

  @Test(arguments: algorithms, [4_000, 8_000, 22_050, 33_000, 44_100, 68_000, 96_000, 192_000])
  func `what is withheld at any rate of a device has room`(
    _ algorithm: AudioTimePitchAlgorithm, rate: Int
  ) throws {
    for speed in [0.25, 0.5, 2, 4] {
      let withheld = try stretcher(algorithm, speed, rate: rate).withheldFrames
      #expect(withheld <= TimelineStretcher.mostWithheld(at: rate), "\(algorithm.name), \(speed)")
    }
  }
}
