// SPDX-License-Identifier: Apache-2.0

import Attacca
import AttaccaLoudness

/// Loudness of files and albums as lines of columns, or as JSON.
enum LoudnessTable {
  static let head = "   LUFS     LU  true peak       gain\n"

  static func line(_ row: LoudnessRow) -> String {
    let name = entryName(row.entry) + (row.isWritten ? "  written" : "")
    return "\(columns(row.measured))  \(name.onOneLine)\n"
  }

  static func line(_ album: LoudnessAlbum) -> String {
    let files = "\(album.fileCount) file\(album.fileCount == 1 ? "" : "s")"
    return "\(columns(album.measured))  album of \(files): \(album.key.name.onOneLine)\n"
  }

  /// A track of a sheet by its title.
  private static func entryName(_ entry: PlaylistFile.Entry) -> String {
    guard entry.isClip else { return entry.path.text }
    return "\(entry.path.text), \(entry.tags.title ?? ClockText.exact(RationalTime(entry.start)))"
  }

  private static func columns(_ measured: MeasuredLoudness?) -> String {
    guard let measured else { return "      -      -          -          -" }
    func number(_ value: Double?, _ decimals: Int, _ width: Int, _ unit: String = "") -> String {
      (value.map { $0.text(decimals: decimals) + unit } ?? "-").leftPadded(width)
    }
    return number(measured.integrated, 2, 7)
      + number(measured.integrated == nil ? nil : measured.range, 1, 7)
      + number(measured.truePeakLevel, 2, 11, " dB")
      + number(measured.replayGain?.gain, 2, 11, " dB")
  }

  static func json(_ report: LoudnessReport, _ failures: [SoundFileError]) -> JSONValue {
    let files = report.rows.map { row -> JSONValue in
      var members = row.entry.path.json
      if row.entry.isClip {
        members.append(("start", .number(ClockText.nanoseconds(RationalTime(row.entry.start)))))
      }
      members += numbers(row.measured)
      if let album = row.album { members.append(("album", .string(album.name))) }
      members.append(("written", .bool(row.isWritten)))
      if !row.complaints.isEmpty {
        members.append(("error", .string(row.complaints.joined(separator: "; "))))
      }
      return .object(members)
    }
    let failed = failures.map { failure -> JSONValue in
      .object([("file", .string(failure.path)), ("error", .string(ErrorText.of(failure)))])
    }
    let albums = report.albums.map { album -> JSONValue in
      .object(
        [("album", .string(album.key.name)), ("files", .integer(album.fileCount))]
          + numbers(album.measured))
    }
    return .object([("files", .array(files + failed)), ("albums", .array(albums))])
  }

  private static func numbers(_ measured: MeasuredLoudness?) -> [(String, JSONValue)] {
    func number(_ value: Double?) -> JSONValue {
      value.map { .number($0.text(decimals: 6)) } ?? .null
    }
    return [
      ("loudness", number(measured?.integrated)), ("range", number(measured?.range)),
      ("truePeak", number(measured?.truePeak)), ("gain", number(measured?.replayGain?.gain)),
    ]
  }
}
