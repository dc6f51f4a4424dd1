// SPDX-License-Identifier: Apache-2.0

import MediaTime
public import SoundFiles

extension CueSheet {
  /// Reads the text of a sheet, whose code is guessed; `name` is for errors.
  ///
  /// Commands that are not known are passed over.
  ///
  /// - Throws: `broken` for a time or a number that is none, naming the line.
  public init(text bytes: [UInt8], name: String) throws(SoundFileError) {
    try self.init(ListText(bytes), name)
  }

  init(_ text: ListText, _ name: String) throws(SoundFileError) {
    self.init()
    // True behind a FILE, until something is in it: what is said there is said of it.
    var isAtFile = false
    var number = 0
    try text.forEachLine { line throws(SoundFileError) in
      number += 1
      var words = CueLine(line, text)
      do throws(CueLine.Complaint) {
        try read(words.word()?.uppercased() ?? "", &words, isAtFile: &isAtFile)
      } catch {
        throw SoundFileError(
          .broken, path: name, call: "CueSheet", cause: "\(error.text) (line \(number) with text)")
      }
    }
  }

  private mutating func read(
    _ command: String, _ line: inout CueLine, isAtFile: inout Bool
  ) throws(CueLine.Complaint) {
    func set(_ name: Tags.Name, _ value: String) { self.set(name, value, isOfFile: isAtFile) }
    switch command {
    case "FILE":
      let (path, type) = line.name()
      guard path != "" else { throw .init(text: "a FILE without a name") }
      files.append(File(name: path, type: type))
      isAtFile = true
    case "TRACK":
      guard !files.isEmpty else { throw .init(text: "a TRACK in front of every FILE") }
      let number = try line.number("TRACK")
      guard tracks.count < 10_000 else { throw .init(text: "more than 10,000 tracks") }
      let type = line.word()?.uppercased() ?? "AUDIO"
      tracks.append(Track(number: number, isAudio: type == "AUDIO"))
      isAtFile = false
    case "INDEX":
      let number = try line.number("INDEX")
      let frames = try line.time("INDEX \(number)")
      guard let last = tracks.indices.last else {
        throw .init(text: "an INDEX in front of every TRACK")
      }
      guard tracks[last].indexes.count < 100 else { throw .init(text: "more than 100 indexes") }
      tracks[last].indexes.append(Index(number: number, file: files.count - 1, frames: frames))
      isAtFile = false
    case "PREGAP":
      let frames = try line.time("PREGAP")
      if let last = tracks.indices.last { tracks[last].pregap = frames }
    case "POSTGAP":
      let frames = try line.time("POSTGAP")
      if let last = tracks.indices.last { tracks[last].postgap = frames }
    case "FLAGS":
      while let word = line.word() {
        if let last = tracks.indices.last { tracks[last].flags.append(word) }
      }
    case "REM":
      guard let name = line.word() else { return }
      // Remarks in prose have no value of their own.
      let known = Tags.Name(name)
      if Self.remarks.contains(known) || name.uppercased().hasPrefix("REPLAYGAIN_") {
        set(known, line.rest())
      }
    case "TITLE": set(tracks.isEmpty || isAtFile ? .album : .title, line.rest())
    case "PERFORMER": set(tracks.isEmpty || isAtFile ? .albumArtist : .artist, line.rest())
    case "SONGWRITER", "COMPOSER": set(.composer, line.rest())
    case "ISRC": set(.isrc, line.rest())
    case "CATALOG": set("catalog", line.rest())
    default: break
    }
  }

  /// The remarks that are tags.
  static let remarks: Set<Tags.Name> = [
    .genre, .date, .comment, .composer, .disc, .discTotal, "discid",
  ]

  private mutating func set(_ name: Tags.Name, _ value: String, isOfFile: Bool) {
    guard !value.isEmpty else { return }
    if isOfFile, let last = files.indices.last {
      files[last].tags[name] = [value]
    } else if let last = tracks.indices.last {
      tracks[last].tags[name] = [value]
    } else {
      tags[name] = [value]
    }
  }
}
