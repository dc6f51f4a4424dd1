// SPDX-License-Identifier: Apache-2.0

import Glibc
import SoundFiles

/// Paths from the root on without links, of many files in few folders.
///
/// A folder is resolved and listed once: only of links in it each costs a call.
struct RealPaths {
  private struct Folder {
    let path: BytePath
    /// Names that are links, or of which the file system does not say.
    let links: Set<BytePath>
  }

  private var folders: [BytePath: Folder?] = [:]

  /// The path without links; as it is where there is no such folder.
  mutating func path(of path: BytePath) -> BytePath {
    guard let folder = folder(path.folder) else { return path }
    if folder.links.contains(path.name) { return Self.resolved(path) ?? path }
    return folder.path.appending(path.name)
  }

  private mutating func folder(_ path: BytePath) -> Folder? {
    if let known = folders[path] { return known }
    let folder = Self.resolved(path.bytes.isEmpty ? "." : path).map { real in
      Folder(path: real, links: Self.links(in: real))
    }
    folders[path] = .some(folder)
    return folder
  }

  private static func resolved(_ path: BytePath) -> BytePath? {
    guard let resolved = path.withCString({ realpath($0, nil) }) else { return nil }
    defer { free(resolved) }
    return BytePath(bytes: UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)))
  }

  private static func links(in folder: BytePath) -> Set<BytePath> {
    guard let stream = folder.withCString({ opendir($0) }) else { return [] }
    defer { closedir(stream) }
    var links: Set<BytePath> = []
    while let entry = readdir(stream) {
      let kind = Int(entry.pointee.d_type)
      guard kind == DT_LNK || kind == DT_UNKNOWN else { continue }
      let name = UnsafeRawPointer(entry) + MemoryLayout<dirent>.offset(of: \.d_name)!
      links.insert(BytePath(bytes: UnsafeRawBufferPointer(start: name, count: strlen(name))))
    }
    return links
  }
}
