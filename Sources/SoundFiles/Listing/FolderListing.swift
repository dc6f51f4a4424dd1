// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The sound files in a folder and the folders in it.
public struct FolderListing: Hashable, Sendable {
  /// Extensions that a folder is searched for; what is named outright needs none of them.
  public static let extensions: Set<String> = [
    "wav", "wave", "rf64", "w64", "aif", "aiff", "aifc", "caf", "flac", "ogg", "oga", "opus",
    "mp3", "mp2",
  ]

  /// The files, each folder's own first, in natural order ("2" before "10"); then its folders'.
  public let paths: [String]

  /// Reads a folder and those below it; hidden ones are left out, and so are links back up.
  ///
  /// - Throws: `missing` or `unreadable`.
  public init(path: String) throws(SoundFileError) {
    var paths: [String] = []
    var visited: Set<FileIdentity> = []
    try Self.list(path, into: &paths, visited: &visited)
    self.paths = paths
  }

  /// Whether a path is that of a folder.
  public static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  private static func list(
    _ path: String, into paths: inout [String], visited: inout Set<FileIdentity>
  ) throws(SoundFileError) {
    var status = stat()
    guard stat(path, &status) == 0, let folder = opendir(path) else {
      let code = errno
      throw SoundFileError(
        code == ENOENT ? .missing : .unreadable, path: path, call: "opendir", code: code,
        cause: SystemError(code: code).text)
    }
    defer { closedir(folder) }
    guard visited.insert(FileIdentity(status)).inserted else { return }

    let parent = path.hasSuffix("/") ? path : path + "/"
    var folders: [String] = []
    for name in names(in: folder).sorted(by: NaturalOrder.precedes) {
      if isFolder(parent + name) {
        folders.append(parent + name)
      } else if let dot = name.lastIndex(of: "."),
        extensions.contains(name[name.index(after: dot)...].lowercased())
      {
        paths.append(parent + name)
      }
    }
    for folder in folders { try list(folder, into: &paths, visited: &visited) }
  }

  private static func names(in folder: OpaquePointer) -> [String] {
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }
}
