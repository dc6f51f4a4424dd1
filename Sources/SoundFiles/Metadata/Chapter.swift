// SPDX-License-Identifier: Apache-2.0

public import MediaTime

/// A part of a file or an item that has a name, and may have parts of its own.
///
/// The corresponding AVFoundation class is `AVTimedMetadataGroup`.
public struct Chapter: Hashable, Sendable {
  /// The name; nil where the file has none for it.
  public var title: String?
  /// The beginning of the chapter, in the unit of the file: ID3 has milliseconds, MP4 100 ns, Matroska nanoseconds.
  public var start: MediaTime
  /// The end of the chapter; nil where the file does not say: where the next one begins, or the one around it ends.
  public var end: MediaTime?
  /// The parts of it, in order.
  public var chapters: [Chapter]

  /// A chapter by its parts.
  public init(
    title: String?, start: MediaTime, end: MediaTime? = nil, chapters: [Chapter] = []
  ) {
    (self.title, self.start, self.end, self.chapters) = (title, start, end, chapters)
  }

  /// So many are read of a file, at most, and so deep within each other.
  static let most = 10_000
  static let deepest = 8
  /// Bytes of a title that are read, at most.
  static let longestTitle = 4_096

  /// A time of a file, of `value` / `timescale` seconds; nil for what is no place in any.
  static func time(_ value: UInt64, timescale: Int32) -> MediaTime? {
    // 136 years.
    guard value / UInt64(timescale) < 1 << 32 else { return nil }
    return MediaTime(value: Int64(value), timescale: timescale)
  }
}

extension [Chapter] {
  /// All of them, the parts of each behind it: `--chapter` and `attacca probe` number them so.
  public var flattened: [Chapter] { flatMap { [$0] + $0.chapters.flattened } }

  /// In the order in which they are heard.
  package func inOrder() -> [Chapter] {
    map { chapter in
      var chapter = chapter
      chapter.chapters = chapter.chapters.inOrder()
      return chapter
    }.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }
      .map(\.element)
  }

  /// The same, as an item has them that plays what is between two times of the file: `end` is nil for its end.
  public func clipped(from start: MediaTime, to end: MediaTime?) -> [Chapter] {
    guard start != .zero || end != nil else { return self }
    return enumerated().compactMap { i, chapter in
      let own = chapter.end ?? (i + 1 < count ? self[i + 1].start : nil)
      if let own, own <= start { return nil }
      if let end, chapter.start >= end { return nil }
      var chapter = chapter
      chapter.chapters = chapter.chapters.clipped(from: start, to: end)
      chapter.start = Swift.max(chapter.start - start, .zero)
      chapter.end = chapter.end.map { Swift.min($0, end ?? $0) - start }
      return chapter
    }
  }
}
