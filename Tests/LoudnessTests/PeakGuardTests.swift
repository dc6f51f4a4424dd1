// SPDX-License-Identifier: Apache-2.0

import Attacca
import AttaccaLoudness
import TestFixtures
import Testing

/// What is heard of a file whose peaks lie between samples, by the tags written here.
@Suite struct PeakGuardTests {
  @Test(arguments: [0, 6, 30] as [Float])
  func `no true peak exceeds full scale, whatever the preamp`(preamp: Float) throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/a.flac"
    // A fourth of the rate, at 45 degrees: samples are at 0.707 of the amplitude.
    try Tool.run(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i",
        "aevalsrc=0.2*sin(PI*n/2+PI/4)*gt(t\\,1)+0.05*sin(440*t):d=6:s=48000", "-ac", "2", path,
      ])
    let file = try #require(try FileLoudness(path: BytePath(path)))
    let track = try #require(file.measured.replayGain)
    try LoudnessTags.write(
      ReplayGain(track: track), to: BytePath(path), decodingTo: file.digest)

    func truePeak(_ clippingGuard: LoudnessNormalization.ClippingGuard) throws -> Double {
      let format = AudioFormat(sampleRate: 48_000, layout: .stereo)
      let meter = try LoudnessMeter(format: format)
      let bounce = Bounce(
        [PlaylistItem(path: path)], format: format,
        loudnessNormalization: LoudnessNormalization(
          mode: .track, preamp: preamp, clippingGuard: clippingGuard))
      bounce.render { samples in
        guard let base = samples.baseAddress else { return }
        meter.add(base, frameCount: samples.count / 2, format: format)
      }
      return meter.measured.truePeak
    }
    #expect(try truePeak(.peak) <= 1)
    if preamp == 30 { #expect(try truePeak(.peak) > 0.999 && truePeak(.none) > 1.5) }
  }
}
