// SPDX-License-Identifier: Apache-2.0

import Answers
import Attacca
import Glibc

/// A long sound in each format, in a folder of its own.
struct SteadySounds {
  struct Sound {
    let name: String
    let path: String
  }

  private let folder: String
  private(set) var all: [Sound] = []

  /// Writes sounds of at least `seconds`.
  init(seconds: Int) throws {
    var template = Array("/tmp/attacca-steady-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw BenchFailure("mkdtemp \(String(cString: strerror(errno)))")
    }
    folder = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    let kinds: [(name: String, rate: Int, container: WrittenFileType.Container)] = [
      ("WAV", 48_000, .wav), ("FLAC", 48_000, .flac), ("FLAC, converted", 44_100, .flac),
      ("Vorbis", 48_000, .ogg), ("Opus", 48_000, .opus),
    ]
    for (name, rate, container) in kinds {
      let path = "\(folder)/\(rate).\(container.rawValue)"
      let format = AudioFormat(sampleRate: rate, layout: .stereo)
      let writer = try SoundFileWriter(
        path: path, format: format,
        fileType: WrittenFileType(container: container, sampleFormat: .int16))
      let second = Self.second(format)
      for _ in 0..<seconds {
        try second.withUnsafeBufferPointer { try writer.write($0) }
      }
      try writer.finish()
      all.append(Sound(name: name, path: path))
    }
    all.append(Sound(name: "MP3", path: try writeMP3(seconds: seconds)))
  }

  /// The frames of a fixture again and again, without the one that says how many they are.
  private func writeMP3(seconds: Int) throws -> String {
    let source = Self.fixtures + "album/05 mp3 cbr.mp3"
    guard let file = fopen(source, "r") else { throw BenchFailure("fopen \(source)") }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    bytes.removeSubrange(fread(&bytes, 1, bytes.count, file)...)
    func isFrame(_ i: Int) -> Bool { bytes[i] == 0xFF && bytes[i + 1] & 0xE0 == 0xE0 }
    var tag = 0
    if bytes.starts(with: Array("ID3".utf8)) {
      tag = 10 + bytes[6..<10].reduce(0) { $0 << 7 | Int($1) }
    }
    guard isFrame(tag), let second = (tag + 4..<bytes.count - 4).first(where: isFrame) else {
      throw BenchFailure("\(source): no frames")
    }
    let path = "\(folder)/long.mp3"
    guard let target = fopen(path, "w") else { throw BenchFailure("fopen \(path)") }
    // 3.3 s each.
    for _ in 0..<seconds / 3 { fwrite(Array(bytes[second...]), 1, bytes.count - second, target) }
    guard fclose(target) == 0 else { throw BenchFailure("fclose \(path)") }
    return path
  }

  /// The repository's fixtures.
  private static let fixtures: String = {
    var parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    parts.removeLast(4)
    return parts.joined(separator: "/") + "/fixtures/"
  }()

  /// A second of noise-like samples.
  private static func second(_ format: AudioFormat) -> [Float] {
    (0..<format.sampleRate * format.channelCount).map {
      Float(($0 * 7_919) % 65_536) / 131_072 - 0.25
    }
  }

  func remove() {
    for sound in all { unlink(sound.path) }
    rmdir(folder)
  }
}
