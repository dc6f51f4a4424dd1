// SPDX-License-Identifier: Apache-2.0

import Attacca
import Glibc
import MediaTime
import Measures

/// The books of the library, each a folder of files whose frames name themselves: frame n is n mod 30,011, and 1.
///
/// Every fifth book is on a network: its sources wait now and then, and tell no file.
struct Books {
  static let rate = 8_000
  static let period = 30_011
  static let count = 500
  static let files = 4
  /// Frames of the files that all books are made of; no multiples of the period.
  private static let lengths = [160_001, 240_123, 333_333, 80_017, 479_999, 200_003, 120_011]

  let folder: String

  init() throws {
    var template = Array("/tmp/attacca-library-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw Wrong("mkdtemp: \(String(cString: strerror(errno)))")
    }
    folder = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    for length in Self.lengths { try write("\(folder)/\(length).wav", frames: length) }
    for book in 0..<Self.count {
      mkdir("\(folder)/\(book)", 0o700)
      for file in 0..<Self.files {
        guard link("\(folder)/\(Self.length(book, file)).wav", path(book, file)) == 0 else {
          throw Wrong("link: \(String(cString: strerror(errno)))")
        }
      }
    }
  }

  /// Takes all of it away.
  func remove() {
    for book in 0..<Self.count {
      for file in 0..<Self.files { unlink(path(book, file)) }
      rmdir("\(folder)/\(book)")
    }
    for length in Self.lengths { unlink("\(folder)/\(length).wav") }
    for name in ["", "-wal", "-shm"] { unlink(store + name) }
    rmdir(folder)
  }

  /// The bookmarks.
  var store: String { "\(folder)/bookmarks.sqlite" }

  func path(_ book: Int, _ file: Int) -> String { "\(folder)/\(book)/part \(file + 1).wav" }

  /// Frames of a file.
  static func length(_ book: Int, _ file: Int) -> Int {
    lengths[(book * 3 + file * 5) % lengths.count]
  }

  /// The sample of a frame.
  static func sample(_ frame: Int) -> Int { frame % period + 1 }

  static func isOnNetwork(_ book: Int) -> Bool { book % 5 == 4 }

  func items(_ book: Int) -> [PlaylistItem] {
    (0..<Self.files).map { file in
      guard Self.isOnNetwork(book) else { return PlaylistItem(path: path(book, file)) }
      return PlaylistItem(
        LossySource(name: "net://\(book)/\(file)", frameCount: Self.length(book, file)))
    }
  }

  private func write(_ path: String, frames: Int) throws {
    var bytes: [UInt8] = []
    func put(_ text: String) { bytes += Array(text.utf8) }
    func put(_ value: Int, bytes count: Int) {
      for i in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * i))) }
    }
    put("RIFF")
    put(36 + 2 * frames, bytes: 4)
    put("WAVEfmt ")
    put(16, bytes: 4)
    for (value, count) in [(1, 2), (1, 2), (Self.rate, 4), (2 * Self.rate, 4), (2, 2), (16, 2)] {
      put(value, bytes: count)
    }
    put("data")
    put(2 * frames, bytes: 4)
    for n in 0..<frames { put(Self.sample(n), bytes: 2) }
    guard let file = fopen(path, "w") else {
      throw Wrong("fopen \(path): \(String(cString: strerror(errno)))")
    }
    let written = fwrite(bytes, 1, bytes.count, file)
    guard fclose(file) == 0, written == bytes.count else { throw Wrong("\(path) was not written") }
  }
}
