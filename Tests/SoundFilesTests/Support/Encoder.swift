// SPDX-License-Identifier: Apache-2.0

import Foundation
import SampleBuffers
import SoundFiles
import TestSeeds

/// Files of ffmpeg's encoders.
struct Encoder {
  /// 16 bit integers, interleaved, as they went to the encoder.
  let source: [Int16]
  let channelCount: Int
  let sampleRate: Int

  /// Noise below tones that rise: no two windows of it are alike.
  init(frames: Int, channelCount: Int = 2, sampleRate: Int = 44_100, seed: UInt64 = 1) {
    var numbers = SplitMix64(seed: seed)
    var source: [Int16] = []
    source.reserveCapacity(frames * channelCount)
    for i in 0..<frames {
      let t = Double(i) / Double(sampleRate)
      for channel in 0..<channelCount {
        let tone = 0.4 * sin(6.283 * t * (200 + 40 * t + 30 * Double(channel)))
        source.append(Int16((tone + .random(in: -0.1...0.1, using: &numbers)) * 32_767))
      }
    }
    (self.source, self.channelCount, self.sampleRate) = (source, channelCount, sampleRate)
  }

  var frameCount: Int { source.count / channelCount }
  /// As they are heard where nothing is lost.
  var samples: [Float] { source.map { Float($0) / 32_768 } }

  /// Writes a file with ffmpeg's `options`, such as `-c:a alac`, and one tag.
  func encode(_ options: String, to path: String, metadata: String? = nil) throws {
    let raw = path + ".raw"
    try source.withUnsafeBytes { Data($0) }.write(to: URL(filePath: raw))
    defer { try? FileManager.default.removeItem(atPath: raw) }
    let line = "ffmpeg -v error -y -f s16le -ar \(sampleRate) -ac \(channelCount) -i"
    var arguments = line.split(separator: " ").map(String.init) + [raw]
    arguments += options.split(separator: " ").map(String.init)
    if let metadata { arguments += ["-metadata", metadata] }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments + [path]
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw EncoderError(options: options, status: process.terminationStatus)
    }
  }

  /// The offset of heard frames against the source, of at most 4, that leaves the least difference.
  func lag(of heard: [Float]) -> Int {
    let window = (frameCount / 4..<frameCount / 2)
    func difference(_ lag: Int) -> Float {
      window.reduce(0) { sum, i in
        let error = heard[(i + lag) * channelCount] - Float(source[i * channelCount]) / 32_768
        return sum + error * error
      }
    }
    return (-4...4).min { difference($0) < difference($1) } ?? 0
  }
}

struct EncoderError: Error, CustomStringConvertible {
  let options: String
  let status: Int32
  var description: String {
    "ffmpeg \(options) ended with status \(status) (127 means: apt-get install ffmpeg)"
  }
}
