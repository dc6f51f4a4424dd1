// SPDX-License-Identifier: Apache-2.0

import Foundation
import SampleBuffers
import SoundFiles
import TestFixtures
import TestSeeds
import Testing

@Suite struct WriterTests {
  private let folder: TemporaryFolder
  private static let stereo = AudioFormat(sampleRate: 48000, layout: .stereo)

  init() throws { folder = try TemporaryFolder() }

  private func write(
    _ samples: [Float], to name: String, format: AudioFormat = stereo,
    as sampleFormat: WrittenFileType.SampleFormat? = nil, dither: Bool = false,
    overwrite: Bool = false
  ) throws -> (path: String, saturated: Int64) {
    let path = "\(folder.path)/\(name)"
    let writer = try SoundFileWriter(
      path: path, format: format,
      fileType: WrittenFileType(path: path, sampleFormat: sampleFormat), dither: dither,
      overwrite: overwrite)
    // Two calls of unequal size, so that a piece ends inside the writer's own.
    let cut = samples.count / format.channelCount / 3 * format.channelCount
    try samples.withUnsafeBufferPointer { all throws(SoundFileError) in
      try writer.write(UnsafeBufferPointer(rebasing: all[..<cut]))
      try writer.write(UnsafeBufferPointer(rebasing: all[cut...]))
    }
    #expect(writer.frameCount == Int64(samples.count / format.channelCount))
    try writer.finish()
    return (path, writer.saturatedSampleCount)
  }

  private static func integers(bits: Int, channels: Int) -> [Float] {
    let top = 1 << (bits - 1)
    var numbers = SplitMix64(seed: 24)
    let edges = [-top, top - 1, 0, 1, -1, -top + 1]
    let values = edges + (0..<30_000).map { _ in Int.random(in: -top..<top, using: &numbers) }
    return values.prefix(values.count / channels * channels).map { Float($0) / Float(top) }
  }

  @Test(arguments: ["wav", "flac", "aiff", "aif", "caf", "w64", "rf64"], [16, 24])
  func `what integers can hold is held bit for bit`(name: String, bits: Int) throws {
    let samples = Self.integers(bits: bits, channels: 2)
    let (path, saturated) = try write(
      samples, to: "a.\(name)", as: bits == 16 ? .int16 : .int24)
    #expect(saturated == 0)
    let file = try SoundFile(path: path, pool: FramePool())
    #expect(file.fileFormat.bitsPerSample == bits)
    #expect(file.format == Self.stereo)
    #expect(firstDifference(try Decoded(rest: file).samples, samples) == nil)
  }

  @Test(arguments: ["wav", "aiff", "caf", "w64", "rf64"])
  func `Float32 files hold what is beyond full scale`(name: String) throws {
    var numbers = SplitMix64(seed: 32)
    let samples = (0..<20_000).map { _ in Float.random(in: -3...3, using: &numbers) }
    let (path, saturated) = try write(samples, to: "a.\(name)")
    #expect(saturated == 0)
    #expect(firstDifference(try Decoded(path: path).samples, samples) == nil)
  }

  @Test(arguments: [16, 24])
  func `integers saturate instead of wrapping, and are counted`(bits: Int) throws {
    let top = Float(1 << (bits - 1))
    let inside: [Float] = [(top - 1) / top, -1]
    let beyond: [Float] = [1, 1.5, 1e30, .infinity, -1.5, -.infinity, .nan, -1.0001]
    let (path, saturated) = try write(
      inside + beyond, to: "a.wav", as: bits == 16 ? .int16 : .int24)
    #expect(saturated == 8)
    let full = (top - 1) / top
    #expect(
      try Decoded(path: path).samples == [full, -1, full, full, full, full, -1, -1, 0, -1])
  }

  @Test func `rounding is to the nearest, not towards zero`() throws {
    let steps: [Float] = [0.4, 0.6, -0.4, -0.6, 1.4, 1.6]
    let (path, _) = try write(steps.map { $0 / 32768 }, to: "a.wav", as: .int16)
    #expect(try Decoded(path: path).samples.map { $0 * 32768 } == [0, 1, 0, -1, 1, 2])
  }

  @Test func `dither is triangular, without bias, and the same in each run`() throws {
    // A constant a quarter step above 100: rounding alone would lose the quarter.
    let samples = [Float](repeating: 100.25 / 32768, count: 100_000)
    let (path, saturated) = try write(samples, to: "a.wav", as: .int16, dither: true)
    let steps = try Decoded(path: path).samples.map { Double($0) * 32768 }
    let mean = steps.reduce(0, +) / Double(steps.count)
    let variance = steps.reduce(0) { $0 + ($1 - 100.25) * ($1 - 100.25) } / Double(steps.count)
    #expect(saturated == 0)
    #expect(Set(steps) == [99, 100, 101])
    // Rounding with triangular noise of two steps has an error of 1/4 step² whatever the signal;
    // four standard deviations of the estimates are 0.0063 and 0.004.
    #expect(abs(mean - 100.25) < 0.0063)
    #expect(abs(variance - 0.25) < 0.004)
    let (again, _) = try write(samples, to: "b.wav", as: .int16, dither: true)
    #expect(
      FileManager.default.contentsEqual(atPath: path, andPath: again),
      "dither must not differ between runs")
  }

  @Test(arguments: ["ogg", "opus"])
  func `lossy files have as many frames as were written, speakers where they were`(
    name: String
  ) throws {
    // A tone in the left back speaker only.
    let format = AudioFormat(sampleRate: 48000, layout: .surround51)
    var samples = [Float](repeating: 0, count: 20_011 * 6)
    for i in 0..<20_011 { samples[i * 6 + 4] = 0.5 * sin(Float(i) * 0.05) }
    let (path, _) = try write(samples, to: "a.\(name)", format: format)
    let file = try SoundFile(path: path, pool: FramePool())
    #expect(file.frameCount == 20_011)
    let back = try #require(file.format.layout.firstIndex(of: .backLeft))
    #expect(back == 3)
    let decoded = try Decoded(rest: file).samples
    #expect(decoded.count == samples.count)
    let energy = (0..<6).map { channel in
      stride(from: channel, to: decoded.count, by: 6).reduce(Float(0)) {
        $0 + decoded[$1] * decoded[$1]
      }
    }
    #expect(energy[3] > 100 * (energy.reduce(0, +) - energy[3]))
  }

  @Test(arguments: ["wav", "caf", "flac"])
  func `channels are put into the order of the container`(name: String) throws {
    let vorbis = ChannelLayout([
      .frontLeft, .frontCenter, .frontRight, .backLeft, .backRight, .lowFrequency,
    ])
    let samples = (0..<6000).map { Float($0 % 6) / 16 }
    let (path, _) = try write(
      samples, to: "a.\(name)", format: AudioFormat(sampleRate: 48000, layout: vorbis), as: .int16)
    let file = try SoundFile(path: path, pool: FramePool())
    #expect(file.format.layout == .surround51)
    #expect(
      try Decoded(rest: file).samples.prefix(6).map { $0 * 16 } == [0, 2, 1, 5, 3, 4])
  }

  @Test func `side speakers stay side speakers in a WAV file`() throws {
    let layout = ChannelLayout([
      .frontLeft, .frontRight, .frontCenter, .lowFrequency, .sideLeft, .sideRight,
    ])
    let (path, _) = try write(
      [Float](repeating: 0.25, count: 600), to: "a.wav",
      format: AudioFormat(sampleRate: 48000, layout: layout))
    #expect(try SoundFile(path: path, pool: FramePool()).format.layout == layout)
  }

  private func failure(_ body: () throws -> Void) -> SoundFileError? {
    #expect(throws: SoundFileError.self, performing: body)
  }

  @Test func `a file that is there is not replaced unasked`() throws {
    let (path, _) = try write([0.25, 0.5], to: "a.wav")
    let before = try Data(contentsOf: URL(filePath: path))
    #expect(failure { _ = try write([0, 0], to: "a.wav") }?.kind == .exists)
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
    #expect(try write([0, 0], to: "a.wav", overwrite: true).path == path)
    #expect(try Decoded(path: path).samples == [0, 0])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.wav"])
  }

  @Test func `a file that is not finished leaves nothing behind`() throws {
    do {
      let path = "\(folder.path)/a.flac"
      let writer = try SoundFileWriter(
        path: path, format: Self.stereo, fileType: WrittenFileType(path: path))
      try [Float](repeating: 0, count: 20_000).withUnsafeBufferPointer {
        samples throws(SoundFileError) in try writer.write(samples)
      }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test func `what cannot be written is said in words`() throws {
    let odd = AudioFormat(sampleRate: 44100, layout: .stereo)
    let opus = failure { _ = try write([], to: "a.opus", format: odd) }
    #expect(opus?.kind == .unsupported)
    #expect(opus?.cause == "Opus holds 8000, 12000, 16000, 24000 or 48000 Hz, not 44100")
    #expect(failure { _ = try write([], to: "a.flac", as: .float32) }?.kind == .unsupported)
    let unknown = failure { _ = try write([], to: "a.mp4") }
    #expect(
      unknown?.cause
        == "the extension must be one of wav, flac, aiff, caf, w64, rf64, ogg, opus")
    let nowhere = failure { _ = try write([], to: "no/folder/a.wav") }
    #expect(nowhere?.kind == .unwritable)
    #expect(nowhere?.cause == "No such file or directory")
  }

  @Test func `a full disk is an error with the system's words, and leaves nothing`() async throws {
    // The limit is the process's own, so the test runs in another.
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 100_000, rlim_max: 100_000)
      #expect(setrlimit(__rlimit_resource_t(1), &limit) == 0)
      let path = "\(folder.path)/a.wav"
      do {
        let writer = try SoundFileWriter(
          path: path, format: AudioFormat(sampleRate: 48000, layout: .mono),
          fileType: WrittenFileType(path: path))
        let error = #expect(throws: SoundFileError.self) {
          try [Float](repeating: 0, count: 50_000).withUnsafeBufferPointer {
            samples throws(SoundFileError) in try writer.write(samples)
          }
        }
        #expect(error?.kind == .unwritable)
        #expect(error?.cause == "File too large")
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
  }
}
