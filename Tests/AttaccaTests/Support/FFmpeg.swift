// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What ffmpeg makes of a file, interleaved in the file's rate and channels.
///
/// - Throws: Where ffmpeg is not installed, or cannot decode `path`.
func decodedByFFmpeg(_ path: String) throws -> [Float] {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = ["ffmpeg", "-v", "error", "-i", path, "-f", "f32le", "-"]
  let output = Pipe()
  process.standardInput = FileHandle.nullDevice
  process.standardOutput = output
  try process.run()
  let data = output.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  guard process.terminationStatus == 0 else { throw FFmpegError(path, process.terminationStatus) }
  return data.withUnsafeBytes { bytes in
    stride(from: 0, to: bytes.count, by: 4).map {
      Float(
        bitPattern: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: UInt32.self)))
    }
  }
}

private struct FFmpegError: Error, CustomStringConvertible {
  let description: String

  init(_ path: String, _ status: Int32) {
    description = """
      ffmpeg -i \(path) ended with status \(status) \
      (127 means: apt-get install ffmpeg)
      """
  }
}
