// SPDX-License-Identifier: Apache-2.0

import Attacca
import Foundation
import SampleBuffers
import SoundFiles
import TestFixtures
import Testing

struct RenderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func samples(_ path: String) throws -> [Float] {
    let file = try SoundFile(path: path, pool: FramePool())
    var samples: [Float] = []
    while let chunk = try file.read(frames: 65_536) {
      samples.append(
        contentsOf: UnsafeBufferPointer(
          start: chunk.storage.samples, count: chunk.frameCount * chunk.format.channelCount))
    }
    return samples
  }

  @Test(arguments: ["float32.wav", "int24.flac", "int16.aiff"])
  func `a cut piece is rendered as if it had never been cut, bit for bit`(name: String) throws {
    let path = folder.file(name)
    let format = String(name.prefix { $0 != "." })
    let run = try Attacca("render", "fixtures/cut/cut.m3u8", "-o", path, "--format", format)
    #expect(run.errors.isEmpty)
    #expect(run.output.isEmpty)
    #expect(run.status == 0)
    let difference = firstDifference(try samples(path), try Fixtures.samples("cut/uncut.flac"))
    #expect(difference == nil)
  }

  @Test func `rate and channels are those asked for, and the length is exact`() throws {
    let path = folder.file("a.wav")
    let run = try Attacca(
      "render", "fixtures/formats/flac16.flac", "-o", path, "--rate", "96000", "--channels", "1")
    #expect(run.status == 0)
    let file = try SoundFile(path: path, pool: FramePool())
    #expect(file.format == AudioFormat(sampleRate: 96_000, layout: .mono))
    // 60,001 · 96,000 / 44,100 = 130,614.42
    #expect(file.frameCount == 130_614)
  }

  @Test(arguments: [["--crossfade", "0.5"], ["--crossfade", "0.5", "--speed", "-1"]])
  func `items overlap by the seconds asked for`(options: [String]) throws {
    let path = folder.file("a.wav")
    let run = try Attacca(
      ["render", "fixtures/formats/flac16.flac", "fixtures/formats/flac16.flac", "-o", path]
        + options + ["--crossfade-curve", "linear", "--crossfade-albums"])
    #expect(run.errors.isEmpty)
    #expect(run.status == 0)
    #expect(try SoundFile(path: path, pool: FramePool()).frameCount == 97_952)
  }

  @Test(arguments: [["--gap", "0.5"], ["--gap", "0.5", "--speed", "-1"]])
  func `silence of the seconds asked for lies between items`(options: [String]) throws {
    let path = folder.file("a.wav")
    let run = try Attacca(
      ["render", "fixtures/formats/flac16.flac", "fixtures/formats/flac16.flac", "-o", path]
        + options)
    #expect(run.errors.isEmpty)
    #expect(run.status == 0)
    // 22,050 frames of it.
    let samples = try samples(path)
    #expect(samples.count == 2 * (60_001 + 22_050 + 60_001))
    #expect(samples[(2 * 60_001)..<(2 * 82_051)].allSatisfy { $0 == 0 })
    #expect(samples[2 * 82_051] != 0 || samples[2 * 82_052] != 0)
  }

  @Test func `silence that a cue sheet names is rendered`() throws {
    let sheet = folder.file("a.cue")
    let sound = Attacca.folder.appending(path: "fixtures/formats/flac16.flac").path
    try """
    FILE "\(sound)" WAVE
      TRACK 01 AUDIO
        PREGAP 00:02:00
        INDEX 01 00:00:00
      TRACK 02 AUDIO
        PREGAP 00:00:30
        INDEX 01 00:01:00
    """.write(toFile: sheet, atomically: true, encoding: .utf8)
    let path = folder.file("a.wav")
    let run = try Attacca("render", sheet, "-o", path)
    #expect(run.errors.isEmpty)
    // 30 of 75 are 17,640 frames; the first track begins at once.
    let whole = try samples(sound)
    let wanted =
      whole[..<88_200] + [Float](repeating: 0, count: 2 * 17_640) + whole[88_200...]
    #expect(firstDifference(try samples(path), Array(wanted)) == nil)
  }

  @Test func `items overlap or have silence between them`() throws {
    let run = try Attacca("render", "a.wav", "-o", "b.wav", "--crossfade", "1", "--gap", "1")
    #expect(run.errors.contains("Items overlap by --crossfade, or have a --gap between them."))
  }

  @Test func `backwards every frame is there, the last one first`() throws {
    let path = folder.file("a.wav")
    let run = try Attacca(
      "render", "fixtures/cut/cut.m3u8", "-o", path, "--format", "int24", "--speed", "-1")
    #expect(run.errors.isEmpty)
    #expect(run.status == 0)
    let forwards = try Fixtures.samples("cut/uncut.flac")
    let backwards = stride(from: forwards.count - 2, through: 0, by: -2).flatMap {
      [forwards[$0], forwards[$0 + 1]]
    }
    #expect(firstDifference(try samples(path), backwards) == nil)
  }

  @Test(arguments: ["keep", "follow"])
  func `at another speed the length is exact`(pitch: String) throws {
    let path = folder.file("\(pitch).wav")
    let run = try Attacca(
      "render", "fixtures/formats/flac16.flac", "fixtures/formats/flac16.flac", "-o", path,
      "--speed", "1.5", "--pitch", pitch)
    #expect(run.errors.isEmpty)
    #expect(run.status == 0)
    // 120,002 / 1.5 = 80,001.33
    #expect(try SoundFile(path: path, pool: FramePool()).frameCount == 80_001)
  }

  /// What the engine makes of `paths` through `effects`.
  private func bounced(_ paths: [String], _ effects: [any AudioEffect]) -> [Float] {
    var samples: [Float] = []
    Bounce(
      paths.map { PlaylistItem(path: $0) },
      format: AudioFormat(sampleRate: 48_000, layout: .stereo),
      effects: effects
    ).render { samples.append(contentsOf: $0) }
    return samples
  }

  @Test(arguments: [[], ["--speed", "-1"]])
  func
    `an equalizer and a limiter are those that the engine has, and no sample is beyond the ceiling`(
      more: [String]
    ) throws
  {
    let path = folder.file("a.wav")
    let run = try Attacca(
      ["render", "fixtures/cut/cut.m3u8", "-o", path] + more + [
        "--equalizer", "low-shelf:120:12,peak:1000:-3:1.4,high-pass:25", "--limiter", "-20",
      ])
    #expect(run.errors.isEmpty)
    #expect(run.status == 0)
    let heard = try samples(path)
    let ceiling = Float(pow(10, -1.0))
    #expect(heard.allSatisfy { abs($0) <= ceiling } && heard.contains { abs($0) > 0.9 * ceiling })
    guard more.isEmpty else { return }
    let expected = bounced(
      try Fixtures.playlist("cut/cut.m3u8"),
      [
        EqualizerEffect([
          .init(.lowShelf, frequency: 120, gain: 12),
          .init(.peaking, frequency: 1_000, gain: -3, q: 1.4), .init(.highPass, frequency: 25),
        ]), LimiterEffect(ceiling: -20),
      ])
    #expect(firstDifference(heard, expected) == nil)
  }

  @Test func `a limiter that nothing exceeds leaves every sample as it is, but for the dither`()
    throws
  {
    let (plain, limited) = (folder.file("a.wav"), folder.file("b.wav"))
    let source = "fixtures/cut/cut.m3u8"
    #expect(try Attacca("render", source, "-o", plain).status == 0)
    #expect(try Attacca("render", source, "-o", limited, "--limiter", "0").status == 0)
    #expect(firstDifference(try samples(limited), try samples(plain)) == nil)
  }

  @Test func `what is played into a file goes through the equalizer`() throws {
    let (played, rendered) = (folder.file("a.wav"), folder.file("b.wav"))
    let (source, bands) = ("fixtures/cut/05.flac", "high-shelf:4000:-9")
    let first = try Attacca("play", source, "--output", played, "--equalizer", bands)
    let second = try Attacca("render", source, "-o", rendered, "--equalizer", bands)
    #expect(first.status == 0 && second.status == 0)
    #expect(firstDifference(try samples(played), try samples(rendered)) == nil)
    #expect(firstDifference(try samples(played), try Fixtures.samples("cut/05.flac")) != nil)
  }

  @Test func `a sample beyond full scale is saturated and counted`() throws {
    let loud = folder.file("loud.wav")
    let writer = try SoundFileWriter(
      path: loud, format: AudioFormat(sampleRate: 48_000, layout: .mono),
      fileType: WrittenFileType(container: .wav, sampleFormat: .float32))
    let ramp = (0..<1_000).map { Float($0) / 500 - 1 } + [1.5, -1.5, 0]
    try ramp.withUnsafeBufferPointer { try writer.write($0) }
    try writer.finish()
    let path = folder.file("a.wav")
    let run = try Attacca("render", loud, "-o", path, "--format", "int16")
    #expect(run.errors == "\(path): 2 samples beyond full scale were saturated\n")
    #expect(run.status == 0)
    #expect(try samples(path).suffix(3).first == 32_767 / 32_768)
  }

  @Test func `a file that is there is replaced only by force`() throws {
    let path = folder.file("a.wav")
    let source = "fixtures/cut/05.flac"
    #expect(try Attacca("render", source, "-o", path).status == 0)
    let before = try Data(contentsOf: URL(fileURLWithPath: path))

    let refused = try Attacca("render", "fixtures/cut/06.wav", "-o", path)
    #expect(refused.status == 1)
    #expect(refused.errors.hasPrefix("\(path): exists already"))
    #expect(refused.errors.hasSuffix("; --force replaces it\n"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)

    #expect(try Attacca("render", "fixtures/cut/06.wav", "-o", path, "--force").status == 0)
    #expect(try samples(path).count == 2 * 43_200)
  }

  @Test(arguments: ["a.flac", "symbolic.flac", "hard.flac", "missing/../a.flac"])
  func `an output that is an input, by whatever name, is refused`(name: String) throws {
    let (manager, input) = (FileManager.default, folder.file("a.flac"))
    try manager.copyItem(atPath: Fixtures.path("cut/05.flac"), toPath: input)
    try manager.createSymbolicLink(
      atPath: folder.file("symbolic.flac"), withDestinationPath: "a.flac")
    try manager.linkItem(atPath: input, toPath: folder.file("hard.flac"))
    try manager.createDirectory(atPath: folder.file("missing"), withIntermediateDirectories: false)
    let before = try Data(contentsOf: URL(fileURLWithPath: input))
    let output = folder.file(name)
    for arguments in [
      ["render", "fixtures/cut/06.wav", input, "-o", output, "--force"],
      ["play", "fixtures/cut/06.wav", input, "--output", output, "--force"],
    ] {
      let run = try Attacca(arguments)
      #expect(run.errors.hasPrefix("\(output): cannot be written: it is an input, too"))
      #expect(run.status == 1)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: input)) == before)
    #expect(
      try manager.contentsOfDirectory(atPath: folder.path).sorted()
        == ["a.flac", "hard.flac", "missing", "symbolic.flac"])
  }

  @Test func `a second signal ends it at once, and nothing is left behind`() throws {
    // What the first one ends takes longer than a shell takes for the next one.
    let output = folder.file("a.wav")
    let script = """
      f=fixtures/album-uncut.flac
      "$attacca" render $f $f $f $f $f $f $f $f -o '\(output)' --rate 768000 &
      until ls '\(folder.path)' | grep -q part; do kill -0 $! || exit 1; done
      i=0; while [ $i -lt 2000 ] && kill -INT $! 2>/dev/null; do i=$((i + 1)); done
      wait $!
      echo status $?
      """
    let run = try Attacca(script: script)
    #expect(run.output == "status 4\n")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test(arguments: [("fixtures/formats/flac16.flac", 4_000), ("fixtures/cut/05.flac", 768_000)])
  func `the lowest and the highest rate are rendered`(source: String, rate: Int) throws {
    let path = folder.file("a.wav")
    let run = try Attacca("render", source, "-o", path, "--rate", "\(rate)")
    #expect(run.status == 0)
    // 60,001 · 4,000 / 44,100 = 5,442.27, and 9,600 · 16
    let frames = rate == 4_000 ? 5_442 : 153_600
    #expect(try SoundFile(path: path, pool: FramePool()).frameCount == Int64(frames))
  }

  @Test func `a broken file in the middle is named, and the others are rendered`() throws {
    let path = folder.file("a.wav")
    let run = try Attacca(
      "render", "fixtures/cut/05.flac", "fixtures/broken/text.mp3", "fixtures/cut/06.wav", "-o",
      path)
    #expect(run.status == 3)
    #expect(run.errors.hasPrefix("fixtures/broken/text.mp3: not audio: "))
    let whole = try Fixtures.samples("cut/05.flac") + Fixtures.samples("cut/06.wav")
    #expect(firstDifference(try samples(path), whole) == nil)
  }

  @Test func `every broken file is named, and the rendering ends`() throws {
    let path = folder.file("a.wav")
    let run = try Attacca("render", "fixtures/broken", "-o", path)
    #expect(run.status == 3)
    for name in try FileManager.default.contentsOfDirectory(atPath: Fixtures.path("broken")) {
      #expect(run.errors.contains("fixtures/broken/\(name): "))
    }
  }

  @Test func `with nothing playable there is no file, and the status is 2`() throws {
    let path = folder.file("a.wav")
    let run = try Attacca(
      "render", "fixtures/broken/text.mp3", "fixtures/broken/empty.wav", "-o", path)
    #expect(run.status == 2)
    #expect(run.errors.split(separator: "\n").count == 2)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test func `where no file can be is refused with the cause`() throws {
    let path = folder.file("nowhere/a.wav")
    let run = try Attacca("render", "fixtures/cut/05.flac", "-o", path)
    #expect(run.status == 1)
    #expect(run.errors.contains("No such file or directory"))
  }
}
