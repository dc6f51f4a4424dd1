// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The sound files in a folder and the folders in it.
public struct FolderListing: Hashable, Sendable {
  /// Extensions that a folder is searched for; what is named outright needs none of them.
  ///
  /// With those that the program attacca-decode decodes, where that is installed.
  public static var extensions: Set<String> {
    ProgramPlace.decoder.path == nil ? linked : linked.union(helped)
  }

  /// Extensions of sound that is not decoded here.
  public static var undecodedExtensions: Set<String> {
    ProgramPlace.decoder.path == nil ? unknown.union(helped) : unknown
  }

  private static let linked: Set<String> = [
    "wav", "wave", "rf64", "w64", "aif", "aiff", "aifc", "caf", "flac", "ogg", "oga", "opus",
    "mp3", "mp2",
  ]

  private static let helped: Set<String> = [
    "3ga", "aac", "ac3", "ape", "amr", "au", "awb", "dff", "dsf", "dts", "eac3", "m4a", "m4b",
    "m4r", "mka", "mpc", "snd", "spx", "tak", "tta", "wma", "wv",
  ]

  private static let unknown: Set<String> = [
    "m4p", "mid", "midi", "mlp", "mod", "ofr", "ra", "rm", "s3m", "shn", "thd", "voc", "xm",
  ]

  // Each looks for the helper: once for a listing.
  private let sought = Self.extensions
  private let leftOut = Self.undecodedExtensions

  /// The files, each folder's own first, in natural order ("2" before "10"); then its folders'.
  public private(set) var paths: [BytePath] = []
  /// The folders in it that could not be read, or not to their end; what else there is, is in `paths`.
  public private(set) var failures: [SoundFileError] = []
  /// The number of files of each of `undecodedExtensions`, none of which are in `paths`.
  public private(set) var undecoded: [String: Int] = [:]

  private var visited: Set<FileIdentity> = []

  /// Reads a folder and those below it; hidden ones are left out, and so are links back up.
  ///
  /// - Throws: `missing` or `unreadable`, of the folder itself.
  public init(path: BytePath) throws(SoundFileError) {
    try list(path)
    visited = []
  }

  /// The same of a path in UTF-8.
  public init(path: String) throws(SoundFileError) { try self.init(path: BytePath(path)) }

  private mutating func list(_ path: BytePath) throws(SoundFileError) {
    guard let status = path.status, let folder = path.withCString({ opendir($0) }) else {
      let code = errno
      throw Self.error(code, of: path, call: "opendir")
    }
    defer { closedir(folder) }
    guard visited.insert(FileIdentity(status)).inserted else { return }

    let (names, code) = Self.names(in: folder)
    if code != 0 { failures.append(Self.error(code, of: path, call: "readdir")) }
    var folders: [BytePath] = []
    for name in names.sorted(by: { NaturalOrder.precedes($0, $1) }) {
      let place = path.appending(name)
      let status = place.status
      let code = status == nil ? errno : 0
      if let status, status.st_mode & S_IFMT == S_IFDIR {
        folders.append(place)
      } else if let kind = name.fileExtension, sought.contains(kind) {
        paths.append(place)
      } else if let kind = name.fileExtension, leftOut.contains(kind) {
        undecoded[kind, default: 0] += 1
      } else if status == nil, code != ENOENT {
        // Perhaps a folder of songs: a link to itself, or a path longer than the kernel takes.
        failures.append(Self.error(code, of: place, call: "stat"))
      }
    }
    for folder in folders {
      do throws(SoundFileError) {
        try list(folder)
      } catch {
        failures.append(error)
      }
    }
  }

  private static func error(_ code: Int32, of path: BytePath, call: String) -> SoundFileError {
    SoundFileError(
      code == ENOENT ? .missing : .unreadable, path: path.text, call: call, code: code,
      cause: SystemError(code: code).text)
  }

  /// The names that are not hidden, and the error that ended the reading, 0 at the end.
  private static func names(in folder: OpaquePointer) -> (names: [BytePath], code: Int32) {
    var names: [BytePath] = []
    while true {
      errno = 0
      guard let entry = readdir(folder) else { return (names, errno) }
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        BytePath(bytes: $0.prefix { $0 != 0 })
      }
      if name.bytes.first != UInt8(ascii: ".") { names.append(name) }
    }
  }
}
