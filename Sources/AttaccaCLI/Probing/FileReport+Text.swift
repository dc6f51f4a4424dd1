// SPDX-License-Identifier: Apache-2.0

import Attacca

extension FileReport {
  /// The path, and below it a line for each thing known.
  var text: String {
    var lines = [("format", "\(fileFormat), \(format)")]
    let clock = ClockText.exact(length)
    lines.append(("length", frames.map { "\($0) frames, \(clock)" } ?? clock))
    lines += tags.named.map { name, value in (name, value) }
    if let checksum { lines.append(("checksum", checksum.rawValue)) }
    if let truncation {
      lines.append((truncation.kind == .truncated ? "cut short" : "damaged", truncation.cause))
    }
    let body = lines.map { name, value in
      let label = name + String(repeating: " ", count: max(1, 14 - name.count))
      // A comment may have lines of its own.
      return "  \(label)\(value.split(separator: "\n").joined(separator: " "))\n"
    }
    return (path.text + "\n" + body.joined()).withoutControls
  }

  var json: JSONValue {
    var encoding: [(String, JSONValue)]
    switch fileFormat.encoding {
    case .integer(let bits):
      encoding = [("encoding", .string("integer")), ("bits", .integer(bits))]
    case .float(let bits): encoding = [("encoding", .string("float")), ("bits", .integer(bits))]
    case .lossy(let name): encoding = [("encoding", .string(name))]
    }
    encoding.insert(("container", .string(fileFormat.container.rawValue)), at: 0)
    return .object(
      path.json + encoding + [
        ("sampleRate", .integer(format.sampleRate)),
        ("channels", .integer(format.channelCount)),
        ("layout", format.layout.json),
        ("frames", frames.map { .integer($0) } ?? .null),
        ("seconds", .number(ClockText.decimal(length))),
        ("tags", .object(tags.named.map { name, value in (name, .string(value)) })),
        ("truncation", truncation.map { .string($0.cause) } ?? .null),
      ] + (checksum.map { [("checksum", .string($0.rawValue))] } ?? []))
  }
}

extension BytePath {
  /// The path as text, and where that is not all of it, its bytes as %XX.
  var json: [(String, JSONValue)] {
    [("file", .string(text))] + (isText ? [] : [("fileBytes", .string(percentCoded))])
  }
}

extension Tags {
  /// Those that are there, with names to show.
  fileprivate var named: [(String, String)] {
    let all: [(String, String?)] = [
      ("title", title), ("artist", artist), ("album", album), ("album artist", albumArtist),
      ("composer", composer), ("track", trackNumber), ("disc", discNumber), ("genre", genre),
      ("date", date), ("comment", comment),
    ]
    return all.compactMap { name, value in value.map { (name, $0) } }
  }
}
