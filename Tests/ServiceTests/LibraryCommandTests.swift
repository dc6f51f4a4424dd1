// SPDX-License-Identifier: Apache-2.0

import Attacca
import Dispatch
import Foundation
import TestFixtures
import Testing

@testable import AttaccaService

struct LibraryCommandTests {
  /// A service of the album of the fixtures, and a song without tags.
  private func service() throws -> ServedHere {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path + "/music", withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      atPath: Fixtures.path("album"), toPath: folder.path + "/music/album")
    try ServedHere.makeSong(folder, "plain.wav")
    return try ServedHere(in: folder)
  }

  @Test func `a folder tells its folders, its songs and its lists`() throws {
    let service = try service()
    #expect(service.values("lsinfo", "directory") == ["album"])
    #expect(service.values("lsinfo", "file") == ["plain.wav"])
    #expect(service.values("lsinfo album", "playlist") == ["album/album.m3u8"])
    #expect(service("lsinfo nothing") == "ACK [50@0] {lsinfo} No such directory\n")
    let songs = service.values("listall", "file")
    #expect(songs.first == "plain.wav")
    #expect(songs == service.values("listallinfo", "file"))
    #expect(service.value("count \"(base 'album')\"", "songs") == "\(songs.count - 1)")
    #expect(service.value("stats", "songs") == "\(songs.count)")
  }

  @Test func `what the index finds is what each song says`() throws {
    let service = try service()
    let all = try service.queue.sync { try service.server.library!.index.songs(.everything) }
    let texts = Set(all.flatMap { $0.values.map(\.text) }).sorted().prefix(12)
    var filters = ["(base 'album')", "(!(base 'album'))", "(modified-since '2000-01-01')"]
    for text in texts {
      let part = String(text.dropFirst().prefix(4)).replacing("'", with: "\\'")
      let whole = text.replacing("'", with: "\\'")
      filters += [
        "(any == '\(whole)')", "(Title == '\(whole)')", "(Artist != '\(whole)')",
        "(any contains '\(part)')", "(Title contains '\(part)')", "(AlbumArtist == '\(whole)')",
        "((Artist == '\(whole)') AND (!(Title contains '\(part.prefix(1))')))",
        "(file contains '\(part.lowercased())')", "(Genre == '')",
        "(Title =~ '^\(part.prefix(1))')",
      ]
    }
    try check(filters, against: all, in: service)
    // As while a scan is under way.
    try LibraryTables.unlist(StateDatabase(path: service.folder.path + "/library.sqlite"))
    try check(filters, against: all, in: service)
  }

  /// Compares what the index finds with what the filters say of each song.
  private func check(_ filters: [String], against all: [Song], in service: ServedHere) throws {
    let index = service.server.library!.index
    for text in filters {
      for folds in [false, true] {
        let filter: SongFilter
        do { filter = try SongFilter([text], foldsCase: folds) } catch { continue }
        let found = try service.queue.sync { try index.songs(filter) }
        #expect(found.map(\.uri) == all.filter { filter.matches($0) }.map(\.uri), "\(text)")
        let asked: [[SongTag]] = [
          [.album, .title], [.album, .albumArtist], [.artist], [.date, .genre],
        ]
        for tags in asked {
          let values = try service.queue.sync { try index.values(of: tags, among: filter) }
          #expect(values == LibraryIndex.values(of: tags, in: found), "\(text), \(tags)")
        }
        let count = try service.queue.sync { try index.count(filter) }
        #expect(count.songs == found.count, "\(text)")
        #expect(count.nanoseconds == found.reduce(0) { $0 + ($1.nanoseconds ?? 0) }, "\(text)")
        for tag: SongTag in [.title, .artist, .genre] {
          let counts = try service.queue.sync { try index.counts(filter, by: tag) }
          for (value, songs, nanoseconds) in counts {
            let those = found.filter {
              value.isEmpty ? $0.values(of: tag).isEmpty : $0.values(of: tag).contains(value)
            }
            #expect(songs == those.count, "\(text) by \(tag), \(value)")
            #expect(nanoseconds == those.reduce(0) { $0 + ($1.nanoseconds ?? 0) }, "\(text)")
          }
          let values = LibraryIndex.values(of: [tag], in: found)
          #expect(counts.map { [$0.value] } == values, "\(text) by \(tag)")
        }
        let numbers = try service.queue.sync { try index.numbers(filter) }
        for window in [0..<1, 1..<3, 2..<200] {
          let range = SongRange(start: window.lowerBound, end: window.upperBound)
          let part = try service.queue.sync { try index.numbers(filter, range) }
          #expect(part == Array(numbers[range.clipped(to: numbers.count)]), "\(text), \(window)")
        }
      }
    }
  }

  @Test func `what a scan that was killed has left undone the next one does`() throws {
    let service = try service()
    let artists = service.values("list artist", "Artist")
    #expect(!artists.isEmpty)
    let path = service.folder.path + "/library.sqlite"
    // Its last songs are written, and it is killed.
    try LibraryTables.unlist(StateDatabase(path: path))
    #expect(service.values("list artist", "Artist") == artists)
    #expect(service.value("stats", "artists") == "\(artists.count { !$0.isEmpty })")
    service("update")
    #expect(until { service.value("status", "updating_db") == nil })
    #expect(try LibraryTables.areListed(StateDatabase(path: path)))
    #expect(service.values("list artist", "Artist") == artists)
  }

  @Test func `a scan finds what is new, changed and gone`() throws {
    let service = try service()
    let before = service.value("stats", "songs").flatMap { Int($0) } ?? 0
    try ServedHere.makeSong(service.folder, "new/one.wav")
    try FileManager.default.removeItem(atPath: service.folder.path + "/music/plain.wav")
    #expect(service.value("update", "updating_db") == "2")
    #expect(until { service.value("status", "updating_db") == nil })
    #expect(service.values("listall new", "file") == ["new/one.wav"])
    #expect(service("find file plain.wav") == "OK\n")
    #expect(service.value("stats", "songs") == "\(before)")
    #expect(service("idle database") == "changed: database\nOK\n")
  }

  @Test func `lists are saved, changed and loaded`() throws {
    let service = try service()
    service("add plain.wav")
    service("add plain.wav")
    #expect(service("save two") == "OK\n")
    #expect(service("save two") == "ACK [56@0] {save} Playlist already exists\n")
    #expect(service.values("listplaylists", "playlist") == ["two"])
    service("playlistadd two album")
    let uris = service.values("listplaylist two", "file")
    #expect(uris.prefix(2) == ["plain.wav", "plain.wav"])
    service("playlistmove two 0 2")
    service("playlistdelete two 0")
    #expect(service.values("listplaylist two", "file").prefix(2) == [uris[2], "plain.wav"])
    service("clear")
    #expect(service("load two 1:2") == "OK\n")
    #expect(service.values("playlistinfo", "file") == ["plain.wav"])
    #expect(service("load album/album.m3u8") == "OK\n")
    #expect(service.values("playlistinfo", "file").count == uris.count - 1)
    service("rename two three")
    #expect(service("rm two") == "ACK [50@0] {rm} No such playlist\n")
    #expect(service("rm three") == "OK\n")
    #expect(service("save a/b") == "ACK [2@0] {save} Bad playlist name\n")
  }

  @Test func `stickers belong to songs`() throws {
    let service = try service()
    #expect(service("sticker set song plain.wav rating 5") == "OK\n")
    #expect(service("sticker get song plain.wav rating") == "sticker: rating=5\nOK\n")
    #expect(service("sticker get song plain.wav x") == "ACK [50@0] {sticker} no such sticker\n")
    #expect(service("sticker find song \"\" rating") == "file: plain.wav\nsticker: rating=5\nOK\n")
    #expect(service("sticker find song \"\" rating > 6") == "OK\n")
    #expect(service("sticker delete song plain.wav") == "OK\n")
    #expect(service("sticker list song plain.wav") == "OK\n")
  }

  @Test func `covers come in pieces`() throws {
    let service = try service()
    let cover = [UInt8]((0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 7 | 0x80) })
    #expect(service("albumart plain.wav 0") == "ACK [50@0] {albumart} No file exists\n")
    _ = try service.folder.file("music/cover.jpg", cover)
    service("binarylimit 4096")
    #expect(service("albumart plain.wav 0").hasPrefix("size: 10000\nbinary: 4096\n"))
    #expect(service("albumart plain.wav 8192").hasPrefix("size: 10000\nbinary: 1808\n"))
    #expect(service("albumart plain.wav 10001") == "ACK [2@0] {albumart} Offset too large\n")
    #expect(service("readpicture plain.wav 0") == "OK\n")
  }
}
