// SPDX-License-Identifier: Apache-2.0

import Attacca
import Foundation

/// Files made for one test, gone with it.
final class TestSound: Sendable {
  static let format = AudioFormat(sampleRate: 48_000, layout: .stereo)
  private let folder: String

  init() throws {
    folder =
      FileManager.default.temporaryDirectory
      .appending(path: "attacca-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try! FileManager.default.removeItem(atPath: folder) }

  /// A path in the folder.
  func path(_ name: String) -> String { "\(folder)/\(name)" }

  /// A WAV file named `item` in which each frame names itself, as `Heard` reads it.
  func numbered(_ item: Int, frames: Int) throws -> String {
    try write("\(item)", Self.numbered(item, 0..<frames))
  }

  /// Interleaved frames that name themselves: left the number, right the item.
  static func numbered(_ item: Int, _ frames: Range<Int>) -> [Float] {
    precondition(frames.upperBound <= Heard.frameLimit && item < Heard.itemLimit)
    return [Float](unsafeUninitializedCapacity: 2 * frames.count) { samples, count in
      // A hundred tests make minutes of it at once: in a debug build indices took 270 ns a frame, this takes 6.
      guard var next = samples.baseAddress else { return }
      let (limit, name) = (Float(Heard.frameLimit), Float(item) / Float(Heard.itemLimit))
      var number = frames.lowerBound
      while number < frames.upperBound {
        number += 1
        next.pointee = Float(number) / limit
        (next + 1).pointee = name
        next += 2
      }
      count = 2 * frames.count
    }
  }

  /// A WAV file of a tone of 100 Hz and amplitude 0.5 on both channels.
  func tone(_ name: String, frames: Int, phase: Double = 0.25) throws -> String {
    try write(
      name,
      [Float](unsafeUninitializedCapacity: 2 * frames) { samples, count in
        for n in 0..<frames {
          let value = Float(0.5 * sin(2 * .pi * (Double(n) / 480 + phase)))
          (samples[2 * n], samples[2 * n + 1]) = (value, value)
        }
        count = 2 * frames
      })
  }

  /// The largest step between two frames of `tone`.
  static let toneStep = Float(0.5 * 2 * sin(Double.pi / 480))

  /// A WAV file of interleaved samples.
  func write(_ name: String, _ samples: [Float]) throws -> String {
    let path = self.path(name + ".wav")
    // What is played again is the same sound.
    guard !FileManager.default.fileExists(atPath: path) else { return path }
    let writer = try SoundFileWriter(
      path: path, format: Self.format,
      fileType: WrittenFileType(container: .wav, sampleFormat: .float32))
    try samples.withUnsafeBufferPointer { try writer.write($0) }
    try writer.finish()
    return path
  }
}
