// SPDX-License-Identifier: Apache-2.0

import Foundation
import SampleBuffers
import SoundFiles
import TestFixtures
import TestSeeds
import Testing

/// What the process attacca-decode decodes: exact at both ends, and wherever it is sought.
@Suite struct HelperTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open(_ name: String) throws -> SoundFile {
    try SoundFile(path: "\(folder.path)/\(name)", pool: FramePool())
  }

  private func encode(_ encoder: Encoder, _ options: String, _ name: String) throws -> SoundFile {
    try encoder.encode(options, to: "\(folder.path)/\(name)")
    return try open(name)
  }

  // MARK: Exactness

  @Test(
    arguments: [
      ("-c:a alac", "a.m4a", "MPEG-4, ALAC, 16 bit"),
      ("-c:a alac", "a.mka", "Matroska, ALAC, 16 bit"), ("-c:a alac", "a.caf", "CAF, ALAC, 16 bit"),
      ("-c:a flac", "a.mka", "Matroska, FLAC, 16 bit"),
      ("-c:a flac -strict -2", "a.mp4", "MPEG-4, FLAC, 16 bit"),
      ("-c:a tta", "a.tta", "TTA, 16 bit"),
      ("-c:a wavpack", "a.wv", "WavPack, 16 bit"), ("-c:a pcm_s16be", "a.au", "AU, 16 bit"),
      ("-c:a pcm_s16le", "a.mka", "Matroska, 16 bit"),
    ], [1, 2, 6])
  func `lossless files are their source to the bit, after every seek`(
    file: (options: String, name: String, format: String), channels: Int
  ) throws {
    let encoder = Encoder(frames: 50_003, channelCount: channels)
    let sound = try encode(encoder, file.options, file.name)
    #expect("\(sound.fileFormat)" == file.format)
    // Matroska tells milliseconds.
    sound.lengthSearch?.run()
    #expect(sound.frameCount == 50_003)
    #expect(try Decoded(rest: sound).samples == encoder.samples)
    #expect(sound.frameCount == 50_003 && sound.truncation == nil)
    #expect(try SeekTests.largestError("\(folder.path)/\(file.name)", seeks: 30) == 0)
  }

  @Test(
    arguments: [
      ("-c:a aac", "a.m4a"), ("-c:a aac -movflags faststart", "b.m4a"),
      ("-c:a libmp3lame", "a.mp4"),
      ("-c:a libopus", "a.webm"), ("-c:a libopus", "a.mp4"),
    ], [44_100, 48_000])
  func `lossy files that tell their ends have as many frames as their source, at their places`(
    file: (options: String, name: String), rate: Int
  ) throws {
    for frames in [100_003, 102_400, 44_100] {
      let encoder = Encoder(frames: frames, sampleRate: rate)
      let sound = try encode(encoder, file.options, file.name)
      let heard = try Decoded(rest: sound).samples
      let all = (frames * sound.format.sampleRate + rate - 1) / rate
      #expect(heard.count == 2 * all && sound.truncation == nil)
      if sound.frameCount == nil { sound.lengthSearch?.run() }
      #expect(sound.frameCount == Int64(all))
      if sound.format.sampleRate == rate { #expect(encoder.lag(of: heard) == 0) }
    }
  }

  @Test func `what iTunes says of the ends counts more than the table of samples`() throws {
    let encoder = Encoder(frames: 100_000)
    let plain = try encode(encoder, "-c:a aac", "a.m4a")
    let all = try Decoded(rest: plain).samples
    // 1,024 frames of priming that the edit list tells too, and 7 and a half packets of padding.
    try encoder.encode(
      "-c:a aac -movflags use_metadata_tags", to: "\(folder.path)/b.m4a",
      metadata: "iTunSMPB= 00000000 00000400 00001E00 0000000000016800")
    let sound = try open("b.m4a")
    #expect(sound.frameCount == 92_160)
    #expect(try Decoded(rest: sound).samples == Array(all.prefix(2 * 92_160)))
    // That of one of the files that this one was put together of.
    try encoder.encode(
      "-c:a aac -movflags use_metadata_tags", to: "\(folder.path)/c.m4a",
      metadata: "iTunSMPB= 00000000 00000400 00000100 0000000000008000")
    #expect(try open("c.m4a").frameCount == 100_000)
  }

  /// Each is what decoding from the start makes of it: a lossy code's frames depend on those before.
  @Test(
    arguments: [
      ("-c:a aac -aac_pns 0", "a.m4a"), ("-c:a aac -aac_pns 0", "a.aac"),
      ("-c:a aac -aac_pns 0", "a.mka"), ("-c:a aac -aac_pns 0", "a.ts"),
      ("-c:a aac -aac_pns 0 -movflags frag_keyframe+empty_moov -frag_duration 500000", "f.mp4"),
      ("-c:a libopus", "a.webm"), ("-c:a libopus", "a.mp4"), ("-c:a libvorbis", "v.mka"),
      ("-c:a libmp3lame", "m.mka"), ("-c:a libmp3lame", "m.mp4"), ("-c:a ac3", "a.ac3"),
      ("-c:a eac3", "a.eac3"), ("-c:a wmav2", "a.wma"), ("-c:a mp2", "2.mka"),
      ("-c:a libspeex -ar 16000 -ac 1", "a.spx"), ("-c:a adpcm_swf", "a.flv"),
      ("-c:a aac -aac_pns 0", "a.latm"), ("-c:a ac3", "3.wav"), ("-c:a mp2", "2.wav"),
      ("-c:a libmp3lame", "m.wav"), ("-c:a ac3", "3.w64"), ("-c:a flac", "f.wav"),
    ])
  func `after a seek come the frames that come there in a straight read`(
    options: String, name: String
  ) throws {
    let sound = try encode(Encoder(frames: 150_007), options, name)
    let frames = try Decoded(rest: sound).frameCount
    #expect(sound.frameCount == Int64(frames))
    let error = try SeekTests.largestError("\(folder.path)/\(name)", seeks: 30)
    #expect(error <= 1e-6, "\(error)")
    // Who counts the packets finds as many frames as who decodes them.
    let counted = try open(name)
    counted.lengthSearch?.run()
    #expect(counted.frameCount == Int64(frames))
  }

  @Test func `parts put behind each other are sought by their packets, not by their times`() throws
  {
    _ = try encode(Encoder(frames: 200_007), "-c:a aac -aac_pns 0", "one.ts")
    let bytes = try TemporaryFolder.bytes(at: "\(folder.path)/one.ts")
    let path = try folder.file("two.ts", bytes + bytes)
    let sound = try open("two.ts")
    let frames = try Decoded(rest: sound).frameCount
    #expect(frames >= 400_000 && sound.frameCount == Int64(frames) && sound.truncation == nil)
    #expect(try SeekTests.largestError(path, seeks: 30) == 0)
  }

  @Test func `what a container cuts off of several packets is cut off once each`() throws {
    let encoder = Encoder(frames: 144_017, channelCount: 1, sampleRate: 48_000)
    let sound = try encode(encoder, "-c:a libmp3lame", "a.mka")
    sound.lengthSearch?.run()
    let counted = sound.frameCount
    #expect(try Decoded(rest: sound).frameCount == counted.map { Int($0) })
    #expect(sound.truncation == nil)
  }

  @Test func `a seek beyond the end of what tells no length makes it no longer`() throws {
    let sound = try encode(Encoder(frames: 50_000), "-c:a aac", "a.aac")
    try sound.seek(to: 1 << 30)
    #expect(try sound.read(frames: 10) == nil)
    #expect(sound.frameCount == 51_200)
  }

  @Test(arguments: [1, 2, 100, 1_023, 1_024, 1_025, 4_410])
  func `short files are whole`(frames: Int) throws {
    let encoder = Encoder(frames: frames)
    for (options, name) in [
      ("-c:a alac", "a.m4a"), ("-c:a tta", "a.tta"), ("-c:a wavpack", "a.wv"),
    ] {
      let sound = try encode(encoder, options, name)
      #expect(sound.frameCount == Int64(frames))
      #expect(try Decoded(rest: sound).samples == encoder.samples, "\(name)")
    }
    let sound = try encode(encoder, "-c:a aac", "a.m4a")
    #expect(sound.frameCount == Int64(frames))
    #expect(try Decoded(rest: sound).frameCount == frames)
  }

  // MARK: What a file says

  @Test func `tags are those of the file, and bytes in memory play as files do`() throws {
    let encoder = Encoder(frames: 50_000)
    let sound = try encode(
      encoder, "-metadata title=Name -metadata artist=Who -metadata track=3/12 -c:a alac", "a.m4a")
    #expect(sound.tags.title == "Name" && sound.tags.artist == "Who")
    #expect(sound.tags.trackNumber == "3/12")
    let bytes = try TemporaryFolder.bytes(at: "\(folder.path)/a.m4a")
    let inMemory = try SoundFile(bytes, name: "memory", pool: FramePool())
    #expect(inMemory.path == "memory" && inMemory.tags.title == "Name")
    #expect(try Decoded(rest: inMemory).samples == encoder.samples)
  }

  @Test func `tags in front of ADTS and behind it are no sound`() throws {
    let plain = try encode(Encoder(frames: 50_000), "-c:a aac", "a.aac")
    let expected = try Decoded(rest: plain).samples
    let bytes = try TemporaryFolder.bytes(at: "\(folder.path)/a.aac")
    let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 1, 0] + [UInt8](repeating: 0, count: 128)
    _ = try folder.file(
      "tagged.aac", tag + bytes + Array("TAG".utf8) + [UInt8](repeating: 0, count: 125))
    let tagged = try open("tagged.aac")
    #expect(tagged.fileFormat.container == .adts)
    #expect(try Decoded(rest: tagged).samples == expected)
  }

  // MARK: Damage

  @Test func `a file that ends early says so, and plays up to there`() throws {
    let encoder = Encoder(frames: 200_000)
    _ = try encode(encoder, "-c:a alac -movflags faststart", "a.m4a")
    let bytes = try TemporaryFolder.bytes(at: "\(folder.path)/a.m4a")
    _ = try folder.file("cut.m4a", bytes.prefix(bytes.count / 2))
    let sound = try open("cut.m4a")
    let heard = try Decoded(rest: sound).samples
    #expect(heard == Array(encoder.samples.prefix(heard.count)))
    #expect((40_000..<200_000).contains(heard.count / 2))
    #expect(sound.truncation?.kind == .truncated)
    #expect(sound.truncation?.cause == "\(heard.count / 2) of 200000 frames")
  }

  @Test func `damage in the middle is silent in its place`() throws {
    let encoder = Encoder(frames: 200_000)
    _ = try encode(encoder, "-c:a tta", "a.tta")
    var bytes = try TemporaryFolder.bytes(at: "\(folder.path)/a.tta")
    for i in bytes.count / 2..<bytes.count / 2 + 2_000 { bytes[i] = 0xFF }
    _ = try folder.file("b.tta", bytes)
    let sound = try open("b.tta")
    let heard = try Decoded(rest: sound).samples
    #expect(heard.count == encoder.samples.count)
    #expect(sound.truncation?.kind == .broken)
    #expect(Array(heard.suffix(60_000)) == Array(encoder.samples.suffix(60_000)))
  }

  @Test func `what is no sound within is refused with its cause`() throws {
    _ = try folder.file(
      "a.m4a", [0, 0, 0, 24] + Array("ftypM4A ".utf8) + [UInt8](repeating: 7, count: 3_000))
    #expect(throws: SoundFileError.self) { try open("a.m4a") }
    _ = try folder.file("a.mka", [0x1A, 0x45, 0xDF, 0xA3] + [UInt8](repeating: 0, count: 3_000))
    #expect(throws: SoundFileError.self) { try open("a.mka") }
  }

  @Test func `mutated files end, and never end what reads them`() throws {
    var numbers = SplitMix64()
    let encoder = Encoder(frames: 30_000)
    for (options, name) in [
      ("-c:a aac", "a.m4a"), ("-c:a alac", "b.m4a"), ("-c:a libopus", "a.webm"),
      ("-c:a wmav2", "a.wma"), ("-c:a wavpack", "a.wv"), ("-c:a ac3", "a.ac3"),
    ] {
      _ = try encode(encoder, options, name)
      let whole = try TemporaryFolder.bytes(at: "\(folder.path)/\(name)")
      for round in 0..<25 {
        var bytes = whole
        // Half of them in the headers.
        let end = round % 2 == 0 ? min(2_000, bytes.count) : bytes.count
        for _ in 0..<Int.random(in: 1...20, using: &numbers) {
          bytes[Int.random(in: 8..<end, using: &numbers)] = .random(in: 0...255, using: &numbers)
        }
        do {
          let sound = try SoundFile(bytes, name: name, pool: FramePool())
          let frames = try Decoded(rest: sound).frameCount
          #expect(frames < 50_000_000, "\(name), seed \(numbers.seed)")
          try sound.seek(to: Int64(frames / 2))
          _ = try sound.read(frames: 100)
        } catch let error as SoundFileError {
          #expect(error.path == name, "seed \(numbers.seed)")
        }
      }
    }
  }

  @Test func `AAC in a WAV file, which knows but an average of bytes a second, is sought exactly`()
    throws
  {
    let bare = try encode(Encoder(frames: 150_007), "-c:a aac -aac_pns 0", "a.aac")
    let frames = try Array(Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/a.aac")))
    func little(_ number: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    // ADTS, two channels, 44,100 Hz, 16,000 bytes a second, blocks of a byte.
    let format =
      little(0x1600, 2) + little(2, 2) + little(44_100, 4) + little(16_000, 4) + little(1, 2)
      + little(16, 2) + little(0, 2)
    let body =
      Array("WAVEfmt ".utf8) + little(format.count, 4) + format + Array("data".utf8)
      + little(frames.count, 4) + frames
    let path = "\(folder.path)/a.wav"
    try Data(Array("RIFF".utf8) + little(body.count, 4) + body).write(
      to: URL(fileURLWithPath: path))
    let sound = try open("a.wav")
    #expect("\(sound.fileFormat)" == "WAV, AAC")
    #expect(try Decoded(rest: sound).samples == Decoded(rest: bare).samples)
    #expect(try SeekTests.largestError(path, seeks: 30) == 0)
  }

  @Test(arguments: ["-c:a mp2", "-c:a libmp3lame"])
  func `what fills the last chunk of W64 is no packet`(options: String) throws {
    let encoder = Encoder(frames: 150_007)
    let plain = try encode(encoder, options, "a.wav")
    let padded = try encode(encoder, options, "a.w64")
    padded.lengthSearch?.run()
    let counted = padded.frameCount
    let heard = try Decoded(rest: padded)
    #expect(try heard.samples == Decoded(rest: plain).samples)
    #expect(padded.truncation == nil && counted == Int64(heard.frameCount))
  }

  @Test(arguments: ["a.wav", "a.w64"])
  func `AAC without ADTS in WAV is refused, as nothing tells where its packets end`(
    name: String
  ) throws {
    let error = #expect(throws: SoundFileError.self) {
      try encode(Encoder(frames: 50_000), "-c:a aac", name)
    }
    #expect(error?.kind == .unsupported)
    #expect(error?.cause.hasPrefix("AAC without ADTS in W") == true, "\(String(describing: error))")
  }

  // MARK: The process

  @Test
  func `a process that is killed loses no frame, and one that is killed each time ends its file`()
    throws
  {
    let encoder = Encoder(frames: 200_000)
    let sound = try encode(encoder, "-c:a alac", "a.m4a")
    var heard: [Float] = []
    for _ in 0..<3 {
      let chunk = try #require(try sound.read(frames: 30_000))
      heard += UnsafeBufferPointer(start: chunk.storage.samples, count: chunk.frameCount * 2)
      #expect(try killDecoders(of: "\(folder.path)/a.m4a") == 1)
    }
    heard += try Decoded(rest: sound).samples
    #expect(heard == encoder.samples)
    try sound.seek(to: 1_000)
    #expect(try killDecoders(of: "\(folder.path)/a.m4a") == 1)
    try sound.seek(to: 150_000)
    let chunk = try #require(try sound.read(frames: 1))
    #expect(chunk.storage.samples[0] == encoder.samples[300_000])
  }

  @Test func `the process of a file has the file, its socket, and no way to anything else`() throws
  {
    let sound = try encode(Encoder(frames: 10_000), "-c:a alac", "a.m4a")
    let process = try #require(try decoders(of: "\(folder.path)/a.m4a").first)
    let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    #expect(status.contains("Seccomp:\t2") && status.contains("NoNewPrivs:\t1"))
    let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd")
    #expect(descriptors.sorted() == ["0", "1", "2", "3", "4"])
    for i in 0...2 {
      let place = try FileManager.default.destinationOfSymbolicLink(
        atPath: "/proc/\(process)/fd/\(i)")
      #expect(place == "/dev/null")
    }
    #expect(sound.frameCount == 10_000)
  }

  /// Ends the processes that decode a file.
  ///
  /// - Returns: how many there were.
  private func killDecoders(of path: String) throws -> Int {
    let all = try decoders(of: path)
    for process in all {
      kill(process, SIGKILL)
      // It is gone once it is nobody's any more: the helper waits for none.
      while kill(process, 0) == 0 { usleep(1_000) }
    }
    return all.count
  }

  private func decoders(of path: String) throws -> [pid_t] {
    var all: [pid_t] = []
    for process in try FileManager.default.contentsOfDirectory(atPath: "/proc") {
      guard let number = pid_t(process),
        let name = try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8),
        name.hasPrefix("attacca-decode"),
        let file = try? FileManager.default.destinationOfSymbolicLink(
          atPath: "/proc/\(process)/fd/3"),
        file == path
      else { continue }
      all.append(number)
    }
    return all
  }

  @Test func `many files are decoded at once, from several threads`() async throws {
    let encoder = Encoder(frames: 60_000)
    _ = try encode(encoder, "-c:a alac", "a.m4a")
    let (path, samples) = ("\(folder.path)/a.m4a", encoder.samples)
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<24 {
        group.addTask { try Decoded(path: path).samples == samples }
      }
      for try await isRight in group { #expect(isRight) }
    }
  }
}
