// SPDX-License-Identifier: Apache-2.0

import AttaccaLoudness
import Foundation
import MediaTime
import SampleBuffers
import SoundFiles
import TestFixtures
import Testing

/// Loudness as measured here beside what ffmpeg's `ebur128` and formulas say.
@Suite struct MeterTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A file that ffmpeg makes of `filter`.
  private func file(_ filter: String, _ options: String = "", name: String = "a.wav") throws
    -> String
  {
    let path = "\(folder.path)/\(name)"
    try Tool.run(
      "ffmpeg",
      ["-v", "error", "-y", "-f", "lavfi", "-i", filter]
        + options.split(separator: " ").map(String.init) + [path])
    return path
  }

  private func measured(_ path: String) throws -> MeasuredLoudness {
    try #require(try FileLoudness(path: BytePath(path))).measured
  }

  /// Integrated loudness that ffmpeg's filter says.
  private func byFFmpeg(_ path: String) throws -> Double {
    let text = try Tool.run(
      "sh",
      [
        "-c", "ffmpeg -nostats -i \"$1\" -af ebur128 -f null - 2>&1", "sh", path,
      ])
    let summary = try #require(text.components(separatedBy: "Summary:").last)
    let line = try #require(summary.components(separatedBy: "\n").first { $0.contains(" I: ") })
    return try #require(line.split(separator: " ").compactMap { Double($0) }.first)
  }

  private func compare(_ path: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let (own, other) = (try measured(path), try byFFmpeg(path))
    let integrated = try #require(own.integrated, "\(path)", sourceLocation: sourceLocation)
    // ffmpeg prints tenths.
    #expect(
      abs(integrated - other) <= 0.1, "\(path): \(integrated), \(other)",
      sourceLocation: sourceLocation)
  }

  @Test(arguments: [
    "sine=f=997:d=20:r=48000",
    "aevalsrc=0.3*sin(2*PI*440*t)*(0.2+0.8*mod(floor(t/4)\\,2)):d=40:s=44100",
    "anoisesrc=d=20:c=pink:r=44100:a=0.4:seed=3", "anoisesrc=d=15:c=white:r=96000:a=0.1:seed=4",
    "sine=f=200:d=10:r=22050",
  ])
  func `a generated file is within 0.1 LU of ffmpeg`(filter: String) throws {
    try compare(try file(filter, "-ac 1"))
    try compare(try file(filter, "-ac 2 -c:a pcm_f32le"))
  }

  @Test func `what stands at the side counts more, and low frequencies do not`() throws {
    // Each channel at a level of its own.
    let levels = [0.1, 0.05, 0.2, 0.6, 0.3, 0.15]
    let exprs = levels.enumerated().map { "\($1)*sin(2*PI*\(300 + 100 * $0)*t)" }
    let path = try file(
      "aevalsrc=\(exprs.joined(separator: "|")):c=5.1:d=12:s=48000", "-c:a pcm_s24le")
    #expect(try SoundFile(path: path, pool: FramePool()).format.layout.channelCount == 6)
    try compare(path)
    try compare(
      try file(
        "aevalsrc=\(exprs.joined(separator: "|")):c=5.1:d=12:s=48000", name: "a.flac"))
  }

  @Test func `files of the repository are within 0.1 LU of ffmpeg`() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Fixtures.path("album"))
    let files = names.filter { $0.hasSuffix("flac") || $0.hasSuffix("mp3") || $0.hasSuffix("ogg") }
    try #require(files.count > 2)
    for name in files.sorted().prefix(6) { try compare(Fixtures.path("album/\(name)")) }
  }

  @Test func `a stereo tone of 997 Hz at -20 dBFS is -20 LUFS, and its true peak is that`() throws {
    // BS.1770-4: 0 dBFS in one channel is -3.01 LKFS.
    let path = try file(
      "aevalsrc=0.1*sin(2*PI*997*t)|0.1*sin(2*PI*997*t):d=20:s=48000", "-c:a pcm_f32le")
    let found = try measured(path)
    #expect(abs(try #require(found.integrated) + 20) < 0.05)
    #expect(abs(try #require(found.truePeakLevel) + 20) < 0.05)
    #expect(found.range < 0.05)
    let gain = try #require(found.replayGain)
    #expect(abs(gain.gain - 2) < 0.05 && gain.peak == found.truePeak)
  }

  @Test func `the true peak is what lies between samples`() throws {
    // A fourth of the rate, at 45 degrees: samples are at 0.707 of the amplitude.
    let path = try file(
      "aevalsrc=0.5*sin(PI*n/2+PI/4)*min(t\\,1):d=5:s=48000", "-c:a pcm_f32le")
    #expect(abs(try #require(try measured(path).truePeakLevel) + 6.02) < 0.1)
  }

  @Test(arguments: [([-20, -30], 10), ([-20, -15], 5), ([-40, -20], 20)] as [([Int], Double)])
  func `the range of two tones is that of EBU Tech 3342`(levels: [Int], range: Double) throws {
    // Its minimum requirements 1 to 3: 1,000 Hz in both channels, 20 s each, to 1 LU.
    let tone = "pow(10\\,if(lt(t\\,20)\\,\(levels[0])\\,\(levels[1]))/20)*sin(2*PI*1000*t)"
    let path = try file("aevalsrc=\(tone)|\(tone):d=40:s=48000", "-c:a pcm_s24le")
    #expect(abs(try measured(path).range - range) < 0.1)
  }

  @Test(arguments: ["anullsrc=d=5:r=48000", "sine=d=0.2:r=48000"])
  func `silence, and what is shorter than 0.4 s, has no loudness`(filter: String) throws {
    let found = try measured(try file(filter, "-t 5"))
    #expect(found.integrated == nil && found.replayGain == nil)
  }

  @Test func `an album is as loud as its files one behind the other`() throws {
    let filters = [
      "sine=f=500:d=8:r=44100", "anoisesrc=d=12:c=pink:r=44100:a=0.05:seed=9",
      "aevalsrc=0.7*sin(2*PI*150*t):d=5:s=44100",
    ]
    let paths = try filters.enumerated().map { try file($1, "-ac 2", name: "\($0).wav") }
    let whole = "\(folder.path)/whole.wav"
    try Tool.run(
      "ffmpeg",
      ["-v", "error"] + paths.flatMap { ["-i", $0] }
        + ["-filter_complex", "concat=n=3:v=0:a=1", whole])
    let meters = try paths.map { try #require(try FileLoudness(path: BytePath($0))).meter }
    let (album, one) = (LoudnessMeter.measured(together: meters), try byFFmpeg(whole))
    #expect(abs(try #require(album.integrated) - one) <= 0.1)
    #expect(album.truePeak == meters.map(\.measured.truePeak).max())
  }

  @Test func `a part of a file is measured as a file of its own`() throws {
    let path = try file("aevalsrc=if(lt(t\\,5)\\,0.5\\,0.05)*sin(2*PI*500*t):d=10:s=48000")
    let quiet = try #require(
      try FileLoudness(path: BytePath(path), from: MediaTime(value: 5, timescale: 1)))
    let loud = try #require(
      try FileLoudness(path: BytePath(path), to: MediaTime(value: 5, timescale: 1)))
    #expect(quiet.seconds == 5 && loud.seconds == 5)
    let difference =
      try #require(loud.measured.integrated) - (try #require(quiet.measured.integrated))
    #expect(abs(difference - 20) < 0.1)
  }
}
