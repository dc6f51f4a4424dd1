// SPDX-License-Identifier: Apache-2.0

import Glibc
import PlaylistFiles
import SoundFiles

/// What is in a folder: its folders, its sound files and its lists, by names in UTF-8 that are not hidden.
struct FolderContents {
  /// A file or a folder.
  struct Entry: Hashable {
    let name: String
    /// Seconds since 1970.
    let modified: Int64
    let size: Int64
    let identity: [UInt64]
  }

  private(set) var folders: [Entry] = []
  private(set) var songs: [Entry] = []
  private(set) var lists: [Entry] = []

  /// Reads a folder; nil where it cannot be read.
  ///
  /// Without `extensions` all files are among the songs.
  init?(path: String, extensions: Set<String>?) {
    guard let stream = opendir(path) else { return nil }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      guard bytes.first != UInt8(ascii: "."),
        let name = String(validating: bytes, as: UTF8.self),
        !name.utf8.contains(where: { $0 < 0x20 })
      else { continue }
      add(name, in: path, extensions)
    }
    folders.sort { $0.name < $1.name }
  }

  private mutating func add(_ name: String, in folder: String, _ extensions: Set<String>?) {
    let kind = BytePath(name).fileExtension ?? ""
    let isList = PlaylistFile.isPlaylist(BytePath(name))
    var status = stat()
    guard stat("\(folder)/\(name)", &status) == 0 else { return }
    let entry = Entry(
      name: name, modified: Int64(status.st_mtim.tv_sec), size: Int64(status.st_size),
      identity: [UInt64(status.st_dev), UInt64(status.st_ino)])
    switch status.st_mode & S_IFMT {
    case S_IFDIR: folders.append(entry)
    case S_IFREG where isList: lists.append(entry)
    case S_IFREG where extensions?.contains(kind) ?? true: songs.append(entry)
    default: break
    }
  }
}
