// SPDX-License-Identifier: Apache-2.0

import Foundation
import SampleBuffers
import SoundFiles
import TestFixtures

/// Files that ffmpeg makes once, of the same sound: what the helper decodes.
enum EncodedFile {
  struct Failure: Error { let status: Int32 }

  /// 4 s of a fixture, some 50 to 300 kB.
  static let source = "album-uncut.flac"

  private static let turn = DispatchSemaphore(value: 1)
  // Touched only between wait and signal of `turn`.
  nonisolated(unsafe) private static var made: [String: String] = [:]
  private static let folder: String = {
    let path = NSTemporaryDirectory() + "attacca-encoded-\(getpid())"
    try? FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true)
    return path
  }()

  /// The path of a file with ffmpeg's `options`, such as "-c:a alac".
  static func path(_ options: String, _ name: String) throws -> String {
    turn.wait()
    defer { turn.signal() }
    let key = options + " " + name
    if let path = made[key] { return path }
    let path = "\(folder)/\(made.count)-\(name)"
    try run(
      ["-t", "4", "-i", Fixtures.path(source), "-metadata", "title=Elsewhere"]
        + options.split(separator: " ").map(String.init) + [path])
    made[key] = path
    return path
  }

  /// Runs ffmpeg with `arguments`.
  static func run(_ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["ffmpeg", "-v", "error", "-y"] + arguments
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(status: process.terminationStatus)
    }
  }
}
