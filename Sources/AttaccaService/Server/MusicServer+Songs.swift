// SPDX-License-Identifier: Apache-2.0

import Attacca
import Glibc
import PlaylistFiles

// What a URI stands for.
extension MusicServer {
  /// What a URI that names songs cannot be found as.
  enum Missing { case folder, song }

  /// The songs of a URI: a song, or all of a folder.
  func songs(
    _ uri: String, for client: ServedClient, missing: Missing = .folder
  ) throws(CommandError) -> [Song] {
    if let song = try elsewhere(uri, for: client) { return [song] }
    var uri = uri[...]
    while uri.last == "/" { uri = uri.dropLast() }
    let name = String(uri)
    let noSuch = missing == .folder ? CommandError.noSuchFolder : .noSuchSong
    guard let library, let path = library.path(of: name) else { throw noSuch }
    if let song = try stored({ () throws(StoreError) in try library.index.song(name) }) {
      return [song]
    }
    if missing == .folder,
      try stored({ () throws(StoreError) in try library.index.hasFolder(name) })
    {
      return try stored { () throws(StoreError) in try library.index.songs(.base(name)) }
    }
    guard !path.isFolder, path.exists else { throw noSuch }
    return [try song(of: path, uri: name)]
  }

  /// The song of an address or of a file anywhere; nil of a URI of the library.
  private func elsewhere(_ uri: String, for client: ServedClient) throws(CommandError) -> Song? {
    let path = BytePath(uri)
    guard path.isAddress || path.isAbsolute, uri != "/" else { return nil }
    let file = path.isAbsolute ? path : BytePath(address: path)
    if let file {
      // The files of this machine are its user's, who is the one that can open the Unix socket.
      guard client.options.isLocal else { throw .accessDenied }
      if let library, let inside = Self.inside(library.root, file.text),
        let song = try stored({ () throws(StoreError) in try library.index.song(inside) })
      {
        return song
      }
      return try song(of: file, uri: file.isText ? "file://" + file.text : uri)
    }
    guard source(path) != nil else {
      throw CommandError(.noExist, "Unsupported URI scheme")
    }
    return Song(uri: uri)
  }

  private static func inside(_ root: String, _ path: String) -> String? {
    path.hasPrefix(root + "/") ? String(path.dropFirst(root.count + 1)) : nil
  }

  private func song(of path: BytePath, uri: String) throws(CommandError) -> Song {
    do throws(SoundFileError) {
      return try Song(uri: uri, path: path, modified: Self.modified(path), pool: pool)
    } catch {
      throw CommandError(.noExist, error.kind == .missing ? "No such file" : "\(error)")
    }
  }

  private static func modified(_ path: BytePath) -> Int64? {
    var status = stat()
    return path.withCString { stat($0, &status) } == 0 ? Int64(status.st_mtim.tv_sec) : nil
  }

  /// The engine's item of a song.
  func item(_ song: Song) -> PlaylistItem {
    let start = song.range.map { SongPart.time($0.start) } ?? .zero
    let end = song.range?.end.map { SongPart.time($0) }
    let path = path(of: song)
    if let source = path.isAddress ? source(path) : nil {
      return PlaylistItem(source, start: start, end: end)
    }
    guard song.range != nil else { return PlaylistItem(path: path) }
    return PlaylistItem(FileSource(path: path), start: start, end: end)
  }

  /// Path of a song's file, or its address.
  func path(of song: Song) -> BytePath {
    let path = BytePath(song.uri)
    if path.isAddress { return BytePath.plain(fileAddress: song.uri) ?? path }
    return library?.path(of: song.uri) ?? path
  }

  func entries(_ songs: [Song]) -> [(song: Song, item: PlaylistItem)] {
    songs.map { ($0, item($0)) }
  }

  /// The songs of URIs that a list has, each as the library knows it, or as a URI alone.
  func songs(ofList uris: [String]) throws(CommandError) -> [Song] {
    var songs: [Song] = []
    songs.reserveCapacity(uris.count)
    for uri in uris {
      let known = try library.flatMap { library throws(CommandError) in
        try stored { () throws(StoreError) in try library.index.song(uri) }
      }
      songs.append(known ?? Song(uri: uri))
    }
    return songs
  }

  /// The URIs of a saved list, or of a list in the music folder.
  func uris(ofList name: String) throws(CommandError) -> [String] {
    if !name.contains("/"), try playlists.has(name) { return try playlists.uris(of: name) }
    guard let library, let path = library.path(of: name), PlaylistFile.isPlaylist(path),
      path.exists
    else {
      return try playlists.uris(of: name.contains("/") ? "" : name)
    }
    do throws(SoundFileError) {
      return try PlaylistFile(path: path).entries.map { entry in
        let text = entry.path.text
        if entry.path.isAddress { return text }
        return Self.inside(library.root, text) ?? "file://" + text
      }
    } catch {
      throw CommandError(.playlistLoad, "\(error)")
    }
  }
}

extension BytePath {
  /// The path of an address "file:///…" whose path stands as it is, as MPD has it; nil of others.
  static func plain(fileAddress: String) -> BytePath? {
    fileAddress.hasPrefix("file:///") ? BytePath(String(fileAddress.dropFirst(7))) : nil
  }
}
