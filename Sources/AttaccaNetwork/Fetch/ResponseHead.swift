// SPDX-License-Identifier: Apache-2.0

/// The head of a server's response, before the bytes.
struct ResponseHead: Hashable {
  /// 200 for "ICY 200 OK" too.
  var status = 0
  /// The status line's words, as "Not Found".
  var reason = ""
  var length: Int64?
  /// The range that follows, its end not included, and the whole's size where it is known.
  var range: (Range<Int64>)?
  var rangeTotal: Int64?
  /// True where it says that ranges can be asked for; nil where it says nothing.
  var acceptsRanges: Bool?
  /// Mark by which the file is known to be the same later: a strong tag, or a date.
  var validator: String?
  /// The type without its parameters, in small letters.
  var type: String?
  var encoding: String?
  /// The server has forbidden to keep it for later.
  var isNotToBeKept = false
  /// Bytes of sound between two titles.
  var titleInterval: Int?
  /// It is what Shoutcast and Icecast send.
  var isBroadcast = false
  var station: String?
  var isRedirect: Bool { (300..<400).contains(status) && status != 304 }

  static func == (a: ResponseHead, b: ResponseHead) -> Bool {
    a.status == b.status && a.length == b.length && a.range == b.range
      && a.validator == b.validator && a.type == b.type && a.titleInterval == b.titleInterval
  }

  func hash(into hasher: inout Hasher) { hasher.combine(status) }

  /// Takes one line, without its end; a status line begins anew.
  mutating func add(_ line: String) {
    if line.hasPrefix("HTTP/") || line.hasPrefix("ICY ") {
      self = ResponseHead()
      let parts = line.split(separator: " ", maxSplits: 2)
      status = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
      reason = parts.count > 2 ? String(parts[2]) : ""
      isBroadcast = line.hasPrefix("ICY ")
      return
    }
    guard let colon = line.firstIndex(of: ":") else { return }
    let value = Self.trimmed(line[line.index(after: colon)...])
    take(line[..<colon].lowercased(), value)
  }

  private mutating func take(_ name: String, _ value: String) {
    switch name {
    case "content-length": length = Self.size(value)
    case "content-range": takeRange(value)
    case "accept-ranges": acceptsRanges = value.lowercased() == "bytes"
    case "etag" where !value.hasPrefix("W/"): validator = value
    case "last-modified": validator = validator ?? value
    case "cache-control": isNotToBeKept = value.lowercased().contains("no-store")
    case "content-type":
      type = Self.trimmed(value.prefix { $0 != ";" }).lowercased()
    case "content-encoding": encoding = value.lowercased()
    case "icy-metaint": titleInterval = Int(value).flatMap { 1...(1 << 24) ~= $0 ? $0 : nil }
    case "icy-name": (station, isBroadcast) = (value, true)
    case "icy-br", "icy-genre", "icy-url", "icy-pub": isBroadcast = true
    default: break
    }
  }

  /// "bytes 0-99/200", "bytes 0-99/*" or "bytes */200".
  private mutating func takeRange(_ value: String) {
    let parts = value.split { $0 == " " || $0 == "/" }
    guard parts.count == 3, parts[0].lowercased() == "bytes" else { return }
    rangeTotal = Self.size(parts[2])
    let ends = parts[1].split(separator: "-").compactMap { Int64($0) }
    if ends.count == 2, ends[0] >= 0, ends[0] <= ends[1], ends[1] < Self.largest {
      range = ends[0]..<ends[1] + 1
    }
  }

  /// A number of bytes that a file may have; nil for another, with which nobody can calculate.
  private static func size(_ text: some StringProtocol) -> Int64? {
    Int64(text).flatMap { 0...largest ~= $0 ? $0 : nil }
  }

  private static let largest: Int64 = 1 << 56

  private static func trimmed(_ text: Substring) -> String {
    let start = text.drop { $0 == " " || $0 == "\t" }
    let end = start.lastIndex { $0 != " " && $0 != "\t" && !$0.isNewline }
    return end.map { String(start[...$0]) } ?? ""
  }
}
