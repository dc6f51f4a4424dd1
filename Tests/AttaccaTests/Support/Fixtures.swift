// SPDX-License-Identifier: Apache-2.0

import Attacca
import Foundation

/// Files of the repository's `fixtures` folder.
enum Fixtures {
  static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("fixtures").path

  static func path(_ name: String) -> String { folder + "/" + name }

  /// Paths of a playlist file, in order.
  static func playlist(_ name: String) throws -> [String] {
    try PlaylistFile(path: path(name)).entries.map(\.path)
  }

  /// All frames of a file, interleaved.
  static func samples(_ path: String) throws -> [Float] {
    let file = try SoundFile(path: path, pool: FramePool())
    var samples: [Float] = []
    while let chunk = try file.read(frames: 65_536) {
      samples.append(
        contentsOf: UnsafeBufferPointer(
          start: chunk.storage.samples, count: chunk.frameCount * chunk.format.channelCount))
    }
    return samples
  }
}
