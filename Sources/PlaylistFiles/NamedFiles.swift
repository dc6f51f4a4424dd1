// SPDX-License-Identifier: Apache-2.0

public import SoundFiles

/// The files that a path stands for: itself, a folder's, or a playlist's with the lists in that.
public struct NamedFiles: Hashable, Sendable {
  /// Lists that may be inside each other.
  public static let deepestList = 16
  /// Lists that are read for one path: two lists that name each other twice, sixteen deep, would be
  /// 65,536.
  public static let mostLists = 10_000

  /// The files, in order, with what lists say of them; whether they are there, and are audio, is found out by opening
  /// them.
  public private(set) var entries: [PlaylistFile.Entry] = []
  /// The paths of the files, in order.
  public var paths: [BytePath] { entries.map(\.path) }
  /// Folders and lists that could not be read, or stand for no file.
  public private(set) var failures: [SoundFileError] = []
  /// The number of files in folders by their extensions, as "m4a", that are sound of a kind that is
  /// not decoded; none of them are in `paths`.
  public private(set) var undecoded: [String: Int] = [:]

  private var lists = 0
  private let pregaps: CueSheet.Pregaps

  /// Reads the folder or the playlist of that name, if it is one.
  ///
  /// Blocks as long as the disk does.
  public init(_ path: BytePath, pregaps: CueSheet.Pregaps = .kept) {
    self.pregaps = pregaps
    add(PlaylistFile.Entry(path: path), within: [])
  }

  private mutating func add(_ entry: PlaylistFile.Entry, within lists: [FileIdentity]) {
    let path = entry.path
    do throws(SoundFileError) {
      if PlaylistFile.isPlaylist(path), !path.isAddress, !path.isFolder {
        try addList(path, within: lists)
      } else if !FolderListing.extensions.contains(path.fileExtension ?? ""), path.isFolder {
        try addFolder(path)
      } else {
        entries.append(entry)
      }
    } catch {
      failures.append(error)
    }
  }

  private mutating func addFolder(_ path: BytePath) throws(SoundFileError) {
    let listing = try FolderListing(path: path)
    entries += TrackOrder.ordered(listing.paths).map { PlaylistFile.Entry(path: $0) }
    failures += listing.failures
    undecoded.merge(listing.undecoded, uniquingKeysWith: +)
    if listing.paths.isEmpty, listing.failures.isEmpty { throw Self.nothing(in: path) }
  }

  private mutating func addList(
    _ path: BytePath, within lists: [FileIdentity]
  ) throws(SoundFileError) {
    let refusal: String? =
      if let identity = path.identity, lists.contains(identity) {
        "a list that names itself"
      } else if lists.count == Self.deepestList {
        "more than \(Self.deepestList) lists inside each other"
      } else if self.lists == Self.mostLists {
        "more than \(Self.mostLists) lists"
      } else {
        nil
      }
    if let refusal {
      throw SoundFileError(.unsupported, path: path.text, call: "NamedFiles", cause: refusal)
    }
    self.lists += 1
    let entries = try PlaylistFile(path: path, pregaps: pregaps).entries
    if entries.isEmpty { throw Self.nothing(in: path) }
    let inner = lists + (path.identity.map { [$0] } ?? [])
    for entry in entries { add(entry, within: inner) }
  }

  private static func nothing(in path: BytePath) -> SoundFileError {
    SoundFileError(.empty, path: path.text, call: "NamedFiles", cause: "it names no sound file")
  }
}
