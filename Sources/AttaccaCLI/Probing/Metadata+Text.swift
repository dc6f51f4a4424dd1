// SPDX-License-Identifier: Apache-2.0

import Attacca

extension Tags {
  /// Those that are there, with names to show; words of songs have many lines, and are counted.
  var lines: [(String, String)] {
    names.map { name in
      let text = self[name].joined(separator: "; ")
      let count = text.split(separator: "\n").count
      return (name.rawValue, name == .lyrics && count > 1 ? "\(count) lines" : text)
    }
  }

  /// The values of each name joined.
  var json: JSONValue {
    .object(names.map { ($0.rawValue, .string(self[$0].joined(separator: "; "))) })
  }

  /// The same one by one.
  var valuesJSON: JSONValue {
    .object(names.map { ($0.rawValue, .array(self[$0].map { .string($0) })) })
  }
}

extension Picture {
  /// As in "front cover, image/jpeg, 12345 bytes".
  var text: String {
    // Of "frontCover".
    let words = "\(kind)".reduce(into: "") {
      $0 += $1.isUppercase ? " \($1.lowercased())" : "\($1)"
    }
    let parts = [words, mediaType, "\(byteCount) bytes", description]
    return parts.filter { !$0.isEmpty }.joined(separator: ", ")
  }

  var json: JSONValue {
    .object([
      ("kind", .string("\(kind)")), ("type", .string(mediaType)),
      ("description", .string(description)), ("bytes", .integer(byteCount)),
    ])
  }
}

extension [Chapter] {
  /// A line for each, the parts of each further in.
  var lines: [(String, String)] {
    var number = 0
    return lines(indent: "", &number)
  }

  private func lines(indent: String, _ number: inout Int) -> [(String, String)] {
    var lines: [(String, String)] = []
    for chapter in self {
      number += 1
      let start = ClockText.exact(RationalTime(chapter.start))
      lines.append(("chapter \(number)", "\(indent)\(start)  \(chapter.title ?? "")"))
      lines += chapter.chapters.lines(indent: indent + "  ", &number)
    }
    return lines
  }

  /// With their times in seconds, to the nanosecond.
  var json: JSONValue {
    .array(
      map { chapter in
        .object([
          ("title", chapter.title.map { .string($0) } ?? .null),
          ("start", .number(ClockText.nanoseconds(RationalTime(chapter.start)))),
          ("end", chapter.end.map { .number(ClockText.nanoseconds(RationalTime($0))) } ?? .null),
          ("chapters", chapter.chapters.json),
        ])
      })
  }
}
