// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestFixtures

/// Segments that ffmpeg cuts of a file and the shared server has.
enum SegmentedFile {
  private static var server: RangeServer { .shared }

  /// Cuts a file in segments of a second with ffmpeg's `options`, and puts them on the server.
  ///
  /// - Returns: the playlist's name there.
  static func cut(
    _ path: String, _ name: String, _ kind: String, _ options: [String] = []
  ) throws -> String {
    var arguments = ["-i", path, "-c", "copy", "-f", "hls", "-hls_time", "1"]
    arguments += ["-hls_list_size", "0", "-hls_playlist_type", "vod"]
    if kind == "m4s" {
      arguments += ["-hls_segment_type", "fmp4", "-hls_fmp4_init_filename", "\(name)-init.mp4"]
    }
    arguments += ["-hls_segment_filename", "\(server.folder)/\(name)-%d.\(kind)"]
    try EncodedFile.run(arguments + options + ["\(server.folder)/\(name).m3u8"])
    return "\(name).m3u8"
  }

  /// Bytes of a file on the server.
  static func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: "\(server.folder)/\(name)")))
  }

  /// What ffmpeg decodes of files on the server, put behind each other.
  static func decoded(_ names: [String]) throws -> [Float] {
    let path = "\(server.folder)/whole-\(UUID().uuidString)"
    defer {
      for kind in ["", ".f32"] { try? FileManager.default.removeItem(atPath: path + kind) }
    }
    let whole = try names.flatMap { try bytes($0) }
    try Data(whole).write(to: URL(fileURLWithPath: path))
    try EncodedFile.run(["-i", path, "-f", "f32le", path + ".f32"])
    return try Data(contentsOf: URL(fileURLWithPath: path + ".f32")).withUnsafeBytes {
      Array($0.bindMemory(to: Float.self))
    }
  }

  /// A playlist with `tags` in front of `lines`.
  static func list(_ tags: String, _ lines: [String], isWhole: Bool = false) -> String {
    let body = lines.map { $0.hasPrefix("#") ? $0 : "#EXTINF:1,\n\($0)" }
    return
      (["#EXTM3U", "#EXT-X-TARGETDURATION:0.1", tags] + body
      + (isWhole ? ["#EXT-X-ENDLIST"] : [])).joined(separator: "\n") + "\n"
  }

  /// Puts a playlist there that is another one each time it is asked for, and then the last one.
  static func put(pages: [String], _ name: String) throws {
    try server.put(Array(pages.joined(separator: "\n----\n").utf8), name)
  }
}
