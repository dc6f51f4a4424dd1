// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// Chapters of an ID3v2 tag, by its CHAP frames and the tables of contents that name them (ID3v2 Chapter Frame
/// Addendum 1.0).
struct ID3Chapters {
  private(set) var chapters: [Chapter] = []

  private struct Table {
    var title: String?
    let isTopLevel: Bool
    let children: [String]
  }

  private var found: [String: Chapter] = [:]
  private var tables: [String: Table] = [:]
  /// In the order of the frames.
  private var names: [String] = []
  /// Named already: a table that names another, and that the first, has an end.
  private var used: Set<String> = []

  init(_ frames: [ID3Frame], version: Int) throws(SoundFileError) {
    var count = 0
    for frame in frames where frame.id == "CHAP" || frame.id == "CTOC" {
      guard found.count + tables.count < Chapter.most else { break }
      if frame.id == "CHAP" {
        try readChapter(frame, version, &count)
      } else {
        try readTable(frame, version, &count)
      }
    }
    guard !found.isEmpty else { return }
    var top: [Chapter] = []
    for (name, table) in tables.sorted(by: { $0.key < $1.key }) where table.isTopLevel {
      used.insert(name)
      top += chapters(of: table, depth: 1)
    }
    // What no table names, as they have room for 255 each.
    for name in names where !used.contains(name) { if let left = found[name] { top.append(left) } }
    chapters = top.inOrder()
  }

  private mutating func chapters(of table: Table, depth: Int) -> [Chapter] {
    var all: [Chapter] = []
    for child in table.children where used.insert(child).inserted {
      if let chapter = found[child] {
        all.append(chapter)
      } else if let inner = tables[child] {
        let parts = depth < Chapter.deepest ? chapters(of: inner, depth: depth + 1).inOrder() : []
        guard let first = parts.first else { continue }
        // A table has no times: it is as long as what it names.
        all.append(
          Chapter(
            title: inner.title, start: first.start, end: parts.compactMap(\.end).max(),
            chapters: parts))
      }
    }
    return all
  }

  /// A name, four numbers, and frames within.
  private mutating func readChapter(
    _ frame: ID3Frame, _ version: Int, _ count: inout Int
  ) throws(SoundFileError) {
    let (name, rest) = try Self.name(frame)
    let bytes = Array(rest)
    // A start of all ones: the place is told in bytes, which of a file of variable rate is none.
    guard let name, found[name] == nil, bytes.count >= 16, bytes.big(at: 0, 4) != 0xFFFF_FFFF,
      let start = Chapter.time(bytes.big(at: 0, 4), timescale: 1_000)
    else { return }
    let stated = bytes.big(at: 4, 4)
    let end =
      stated == 0xFFFF_FFFF || stated <= bytes.big(at: 0, 4)
      ? nil : Chapter.time(stated, timescale: 1_000)
    let inner = frame.content.range.lowerBound + Int64(rest.startIndex) + 16
    found[name] = Chapter(
      title: try Self.title(frame, from: inner, version, &count), start: start, end: end)
    names.append(name)
  }

  /// A name, flags, a count, so many names, and frames within.
  private mutating func readTable(
    _ frame: ID3Frame, _ version: Int, _ count: inout Int
  ) throws(SoundFileError) {
    var (name, rest) = try Self.name(frame)
    guard let name, tables[name] == nil, rest.count >= 2 else { return }
    let (flags, entries) = (rest[rest.startIndex], Int(rest[rest.startIndex + 1]))
    rest = rest.dropFirst(2)
    var children: [String] = []
    for _ in 0..<entries {
      guard let end = rest.firstIndex(of: 0) else { break }
      children.append(String(tagBytes: rest[..<end]))
      rest = rest[end...].dropFirst()
    }
    let inner = frame.content.range.lowerBound + Int64(rest.startIndex)
    tables[name] = Table(
      title: try Self.title(frame, from: inner, version, &count), isTopLevel: flags & 2 != 0,
      children: children)
  }

  /// The name that a frame begins with, and what follows of its first bytes.
  private static func name(_ frame: ID3Frame) throws(SoundFileError) -> (
    String?, ArraySlice<UInt8>
  ) {
    let bytes = try frame.content.bytes(at: frame.content.range.lowerBound, count: 1 << 14)
    guard let end = bytes.firstIndex(of: 0) else { return (nil, []) }
    return (String(tagBytes: bytes[..<end]), bytes[end...].dropFirst())
  }

  /// The title among the frames within another one.
  private static func title(
    _ frame: ID3Frame, from start: Int64, _ version: Int, _ count: inout Int
  ) throws(SoundFileError) -> String? {
    guard start < frame.content.range.upperBound else { return nil }
    let region = frame.content.part(start..<frame.content.range.upperBound)
    for inner in try ID3Frame.frames(in: region, version: version, count: &count)
    where inner.id == "TIT2" {
      let bytes = try inner.content.bytes(
        at: inner.content.range.lowerBound, count: Chapter.longestTitle)
      return ID3Text.all(bytes).first { !$0.isEmpty }
    }
    return nil
  }
}
