// SPDX-License-Identifier: Apache-2.0

import Attacca

/// Files whose every frame says on the left channel which one of which file it is; the right channel,
/// where the reference is heard, is silent.
struct NumberedSounds {
  /// Number of sounds; neighbours in a list are different ones.
  static let count = 4
  /// 20 s, and fewer than frames can be numbered.
  static let length = 960_000

  let folder: String
  let container: WrittenFileType.Container

  /// Writes them.
  ///
  /// - Throws: where the folder takes no more.
  init(_ container: WrittenFileType.Container, in folder: BenchFolder) throws {
    (self.folder, self.container) = (folder.path, container)
    for sound in 1...Self.count { try write(sound) }
  }

  /// The file of a sound, 1...count.
  func path(_ sound: Int) -> String { "\(folder)/\(sound).\(container.rawValue)" }

  private func write(_ sound: Int) throws {
    let writer = try SoundFileWriter(
      path: path(sound), format: HeadlessServer.format,
      fileType: WrittenFileType(
        container: container, sampleFormat: container == .flac ? .int24 : .float32))
    let block = 48_000
    var samples = [Float](repeating: 0, count: 2 * block)
    for first in stride(from: 0, to: Self.length, by: block) {
      for i in 0..<block { samples[2 * i] = SoundFrame.sample(sound: sound, number: first + i) }
      try samples.withUnsafeBufferPointer { try writer.write($0) }
    }
    try writer.finish()
  }
}
