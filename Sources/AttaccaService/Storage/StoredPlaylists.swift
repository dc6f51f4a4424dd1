// SPDX-License-Identifier: Apache-2.0

import Glibc
import SoundFiles

/// Lists that clients have saved: M3U files of one folder, a URI a line, as MPD's own.
///
/// A list is read when it is asked for, and written as a whole or not at all.
struct StoredPlaylists {
  /// A list: its name, and when it was changed.
  struct Entry: Hashable {
    let name: String
    /// Seconds since 1970.
    let modified: Int64
  }

  /// The folder, which is made with the first list.
  let folder: String

  /// Bytes of the longest list that is read.
  private static let longest: Int64 = 256_000_000

  /// All lists, by their names.
  func all() -> [Entry] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var entries: [Entry] = []
    while let entry = readdir(stream) {
      let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      guard let file = String(validating: bytes, as: UTF8.self), file.hasSuffix(".m3u") else {
        continue
      }
      let name = String(file.dropLast(4))
      guard Self.isName(name), let modified = modified(name) else { continue }
      entries.append(Entry(name: name, modified: modified))
    }
    return entries.sorted { $0.name < $1.name }
  }

  private static func isName(_ name: String) -> Bool {
    !name.isEmpty && !name.utf8.contains { $0 == 0 || $0 == 0x2F || $0 == 0x0A || $0 == 0x0D }
      && name != "." && name != ".." && name.utf8.first != UInt8(ascii: ".")
  }

  private func path(_ name: String) throws(CommandError) -> String {
    guard Self.isName(name) else { throw .badPlaylistName }
    return "\(folder)/\(name).m3u"
  }

  private func modified(_ name: String) -> Int64? {
    var status = stat()
    guard stat("\(folder)/\(name).m3u", &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    return Int64(status.st_mtim.tv_sec)
  }

  func has(_ name: String) throws(CommandError) -> Bool { access(try path(name), F_OK) == 0 }

  /// The URIs of a list.
  func uris(of name: String) throws(CommandError) -> [String] {
    let path = try path(name)
    guard access(path, F_OK) == 0 else { throw .noSuchPlaylist }
    let bytes: [UInt8]
    do throws(SoundFileError) {
      bytes = try WholeFile.bytes(of: BytePath(path), atMost: Self.longest)
    } catch {
      if error.kind == .empty { return [] }
      throw CommandError(.system, "\(error)")
    }
    return bytes.split(separator: 0x0A).compactMap { line in
      var line = line
      while let last = line.last, last <= 0x20 { line.removeLast() }
      guard let first = line.first, first != UInt8(ascii: "#") else { return nil }
      return String(validating: line, as: UTF8.self)
    }
  }

  /// Writes a list.
  func write(_ uris: [String], to name: String) throws(CommandError) {
    let path = try path(name)
    if mkdir(folder, 0o700) != 0, errno == ENOENT {
      throw CommandError(.system, "\(folder) cannot be made: \(String(cString: strerror(errno)))")
    }
    var bytes: [UInt8] = []
    for uri in uris {
      bytes.append(contentsOf: uri.utf8)
      bytes.append(0x0A)
    }
    do throws(SoundFileError) {
      try WholeFile.write(bytes, to: BytePath(path), overwrites: true)
    } catch {
      throw CommandError(.system, "\(error)")
    }
  }

  func remove(_ name: String) throws(CommandError) {
    guard unlink(try path(name)) == 0 else {
      if errno == ENOENT { throw .noSuchPlaylist }
      throw CommandError(.system, "\(name): \(String(cString: strerror(errno)))")
    }
  }

  func rename(_ name: String, to new: String) throws(CommandError) {
    let (old, path) = (try path(name), try path(new))
    guard access(old, F_OK) == 0 else { throw .noSuchPlaylist }
    guard access(path, F_OK) != 0 else {
      throw CommandError(.exist, "Playlist exists already")
    }
    guard Glibc.rename(old, path) == 0 else {
      throw CommandError(.system, "\(name): \(String(cString: strerror(errno)))")
    }
  }
}
