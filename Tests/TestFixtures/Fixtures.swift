// SPDX-License-Identifier: Apache-2.0

import Foundation
import PlaylistFiles
import SampleBuffers
import SoundFiles

/// Files of the repository's `fixtures` folder.
public enum Fixtures {
  /// The folder's path.
  public static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("fixtures").path

  /// The path of a file in it.
  public static func path(_ name: String) -> String { folder + "/" + name }

  /// Paths of a playlist file, in order.
  public static func playlist(_ name: String) throws -> [String] {
    try PlaylistFile(path: path(name)).entries.map(\.path.text)
  }

  /// All frames of a fixture, interleaved.
  public static func samples(_ name: String) throws -> [Float] { try samples(at: path(name)) }

  /// All frames of the sound file at `path`, interleaved.
  public static func samples(at path: String) throws -> [Float] {
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

/// The index of the first sample in which two recordings differ, a missing one included; nil where
/// they are equal to the bit.
public func firstDifference(_ a: [Float], _ b: [Float]) -> Int? {
  a.withUnsafeBufferPointer { a in
    b.withUnsafeBufferPointer { b in
      let common = min(a.count, b.count)
      var i = 0
      while i < common {
        if a[i].bitPattern != b[i].bitPattern && a[i] != b[i] { return i }
        i += 1
      }
      return a.count == b.count ? nil : common
    }
  }
}
