// SPDX-License-Identifier: Apache-2.0

import AttaccaBookmarks
import Foundation
import SoundFiles

/// A folder of a test's own, with a store in it; gone with the last reference.
final class BookmarkFolder {
  let url = FileManager.default.temporaryDirectory
    .appendingPathComponent("attacca-bookmarks-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  func store(_ name: String = "store/bookmarks.sqlite") throws -> BookmarkStore {
    try BookmarkStore(path: BytePath(path(name)))
  }

  /// Writes a WAVE file of silence, 16 bit, mono; the last of its bytes is `mark`.
  func makeFile(_ name: String, frames: Int, rate: Int = 44_100, mark: UInt8 = 0) throws -> String {
    func bytes(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    var data = Data("RIFF".utf8 + bytes(36 + 2 * frames, 4) + Array("WAVEfmt ".utf8))
    data += bytes(16, 4) + bytes(1, 2) + bytes(1, 2) + bytes(rate, 4) + bytes(2 * rate, 4)
    data += bytes(2, 2) + bytes(16, 2) + Array("data".utf8) + bytes(2 * frames, 4)
    data += Data(count: 2 * frames - 1) + [mark]
    try data.write(to: URL(fileURLWithPath: path(name)))
    return path(name)
  }
}
