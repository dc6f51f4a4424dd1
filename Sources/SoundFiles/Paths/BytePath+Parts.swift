// SPDX-License-Identifier: Apache-2.0

import Glibc

extension BytePath {
  private static let slash = UInt8(ascii: "/")

  /// The last part, as "03.flac" of "album/03.flac"; the whole where there is none.
  public var name: BytePath {
    BytePath(bytes: bytes.split(separator: Self.slash).last ?? bytes[...])
  }

  /// The part up to the last slash, that included; empty where there is none.
  package var folder: BytePath {
    let bytes = bytes
    return BytePath(bytes: bytes.lastIndex(of: Self.slash).map { bytes[...$0] } ?? [])
  }

  /// The letters behind the last dot of the name, in small ones; nil without a dot.
  public var fileExtension: String? {
    let parts = name.bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count > 1, let last = parts.last else { return nil }
    return BytePath(bytes: last).text.lowercased()
  }

  /// True where the path begins at the root of the file system.
  public var isAbsolute: Bool { bytes.first == Self.slash }

  /// The path behind this one as a folder's.
  public func appending(_ part: BytePath) -> BytePath {
    let bytes = bytes
    let parent = bytes.isEmpty || bytes.last == Self.slash ? bytes : bytes + [Self.slash]
    return BytePath(bytes: parent + part.bytes)
  }

  /// True where something has this path, through links.
  package var exists: Bool { !hasZero && withCString { access($0, F_OK) } == 0 }

  /// Status that the system tells of the file, through links; nil with `errno` set.
  var status: stat? {
    var status = stat()
    guard !hasZero, withCString({ stat($0, &status) }) == 0 else { return nil }
    return status
  }

  /// True where the path is that of a folder.
  public var isFolder: Bool { status.map { $0.st_mode & S_IFMT == S_IFDIR } ?? false }

  /// Identity of a file that is the same under all its names, links of either kind included; nil where there is
  /// none.
  package var identity: FileIdentity? { status.map(FileIdentity.init) }
}

extension BytePath {
  /// The path of a `file:` address, "file:///a%20b" or "file://host/a%20b", decoded once; nil of
  /// anything else.
  ///
  /// The host is taken for this one. "file://name", a mistake with one meaning left, is a relative
  /// path.
  public init?(address: BytePath) {
    let bytes = address.bytes
    let scheme = Array("file://".utf8)
    guard bytes.prefix(scheme.count).map({ $0 | 0x20 }) == scheme.map({ $0 | 0x20 }) else {
      return nil
    }
    let rest = bytes.dropFirst(scheme.count)
    let path = rest.firstIndex(of: Self.slash).map { rest[$0...] } ?? rest
    self.init(bytes: PercentCoding.decoded(path))
  }

  /// True where the path looks like an address, "http://…", of which none but a file's can be played.
  public var isAddress: Bool {
    let bytes = bytes
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return false }
    // RFC 3986 §3.1: a letter, then letters, digits, "+", "-" and ".".
    let scheme = bytes[..<colon]
    return scheme.first.map(Self.isLetter) ?? false
      && scheme.allSatisfy {
        Self.isLetter($0) || (0x30...0x39).contains($0) || "+-.".utf8.contains($0)
      }
      && bytes[colon...].starts(with: "://".utf8)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  /// The path with bytes that are no letters, digits, "-._~/" as %XX: lossless text for programs.
  public var percentCoded: String { PercentCoding.coded(bytes) }
}
