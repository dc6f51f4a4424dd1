// SPDX-License-Identifier: Apache-2.0

import MediaTime
public import SoundFiles

extension CueSheet {
  /// The tracks with sound, as parts of files; `list` is the sheet's own path, where its files are sought.
  ///
  /// A file that is not there is sought under other extensions: sheets name the file that they were made with. Where
  /// there is one file, it may have the sheet's name. A pregap that is in another file than its track is an entry of
  /// its own where it is prepended.
  ///
  /// - Throws: `broken` where tracks of a file do not follow each other.
  public func entries(
    at list: BytePath, pregaps: Pregaps = .kept
  ) throws(SoundFileError) -> [PlaylistFile.Entry] {
    try entries(list, ListPlace(of: list), pregaps)
  }

  /// The tracks as parts of `path`, the file that the sheet is in the tags of.
  public func entries(
    embeddedIn path: BytePath, pregaps: Pregaps = .kept
  ) throws(SoundFileError) -> [PlaylistFile.Entry] {
    try entries(path.text, files.map { _ in path }, pregaps)
  }

  func entries(
    _ list: BytePath, _ place: ListPlace, _ pregaps: Pregaps
  ) throws(SoundFileError) -> [PlaylistFile.Entry] {
    try entries(list.text, files.map { found($0.name, list, place) }, pregaps)
  }

  private func entries(
    _ name: String, _ paths: [BytePath], _ pregaps: Pregaps
  ) throws(SoundFileError) -> [PlaylistFile.Entry] {
    var entries: [PlaylistFile.Entry] = []
    let audible = tracks.filter { $0.begin != nil }
    for (i, track) in audible.enumerated() {
      guard let begin = track.begin else { continue }
      let next = i + 1 < audible.count ? audible[i + 1] : nil
      let isFirst = i == 0 || audible[i - 1].begin?.file != begin.file
      let own = track.pregapBegin.flatMap { $0.file == begin.file ? $0 : nil }
      let start =
        pregaps == .prepended || (pregaps == .kept && isFirst) ? own ?? begin : begin
      let end = next.flatMap { Self.end(before: $0, in: begin.file, pregaps) }
      guard start.frames <= begin.frames, end.map({ $0.frames >= begin.frames }) ?? true else {
        throw SoundFileError(
          .broken, path: name, call: "CueSheet",
          cause: "track \(track.number) does not end behind its begin")
      }
      guard track.isAudio else { continue }
      let last = i > 0 ? audible[i - 1] : nil
      var gap = pregaps == .dropped ? nil : Self.gap(of: track, behind: last)
      if pregaps == .prepended, let other = track.pregapBegin, other.file != begin.file {
        var pregap = entry(of: track, paths[other.file], from: other, to: nil)
        (pregap.gap, gap) = (gap, nil)
        entries.append(pregap)
      }
      var entry = entry(of: track, paths[begin.file], from: start, to: end)
      (entry.pregap, entry.gap) = (own?.time, gap)
      entries.append(entry)
    }
    return entries
  }

  /// Silence in front of a track that is in no file; nil where none is named.
  private static func gap(of track: Track, behind last: Track?) -> MediaTime? {
    let frames = track.pregap + (last?.postgap ?? 0)
    return frames > 0 ? MediaTime(value: frames, timescale: CueSheet.framesPerSecond) : nil
  }

  /// Returns the place where a track in `file` ends that `next` follows; nil for the file's end.
  private static func end(before next: Track, in file: Int, _ pregaps: Pregaps) -> Index? {
    let pregap = next.pregapBegin.flatMap { $0.file == file ? $0 : nil }
    let begin = next.begin.flatMap { $0.file == file ? $0 : nil }
    if pregaps == .kept { return begin }
    return pregap ?? begin
  }

  private func entry(
    of track: Track, _ path: BytePath, from start: Index, to end: Index?
  ) -> PlaylistFile.Entry {
    var entry = PlaylistFile.Entry(path: path, title: track.tags.title)
    (entry.start, entry.end) = (start.time, end?.time)
    if let end { entry.duration = end.time - start.time }
    var tags = track.tags
    for common in [files[start.file].tags, self.tags] {
      for name in common.names where tags[name].isEmpty { tags[name] = common[name] }
    }
    if tags.artist == nil { tags.artist = tags.albumArtist }
    if tags.trackNumber == nil { tags.trackNumber = "\(track.number)" }
    entry.tags = tags
    return entry
  }

  /// The file that a name stands for.
  private func found(_ name: BytePath, _ list: BytePath, _ place: ListPlace) -> BytePath {
    let named = name.bytes.withUnsafeBufferPointer {
      place.resolve(.path($0[...]), in: ListText(name.bytes))
    }
    guard place.folder != nil, !named.exists, !named.isAddress else { return named }
    var stems = [named]
    if files.count == 1 { stems.append(list) }
    for stem in stems {
      let bytes = stem.bytes
      let cut =
        stem.fileExtension == nil
        ? bytes.count : bytes.lastIndex(of: UInt8(ascii: ".")) ?? bytes.count
      for kind in FolderListing.extensions.sorted() {
        for spelling in [kind, kind.uppercased()] {
          let path = BytePath(bytes: bytes[..<cut] + [UInt8(ascii: ".")] + Array(spelling.utf8))
          if path.exists { return path }
        }
      }
    }
    return named
  }
}
