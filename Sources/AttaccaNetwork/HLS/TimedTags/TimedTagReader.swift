// SPDX-License-Identifier: Apache-2.0

import SoundFiles

/// Finds the timed tags in the segments of one part of a stream, which go on from each other.
///
/// They are packets of a transport stream, boxes between fragments of MP4, or stand in front of bare frames
/// (RFC 8216 §3, "Timed Metadata for HTTP Live Streaming", AOM "Carriage of ID3 Timed Metadata in CMAF").
struct TimedTagReader {
  /// Time of the first heard frame, in 1/90,000 s of the stream's own clock; nil before that is known.
  private var base: Int64?
  /// Ticks that the segments so far last, by the playlist.
  private var passed: Int64 = 0

  /// Tags of a segment that are read.
  static let most = 1_000

  /// Reads the tags in the next segment, in the order of their times.
  ///
  /// - Parameters:
  ///   - bytes: the segment, without the tag in front of bare frames.
  ///   - front: that tag; empty for none.
  ///   - header: what stands in front of all segments; empty for nothing.
  ///   - seconds: the time that it lasts, by the playlist.
  /// - Returns: the tags, whose times may lie before those of the segment before.
  mutating func tags(
    in bytes: [UInt8], front: [UInt8], header: [UInt8], seconds: Double
  ) -> [TimedTags] {
    defer { passed += Int64(min(max(seconds, 0), 86_400) * Double(TimedTags.perSecond)) }
    var found: [TimedTags] = []
    if !front.isEmpty {
      if let tag = frontTag(front) { found.append(tag) }
    } else if TransportStream.isOne(bytes) {
      var stream = TransportStream()
      stream.read(bytes)
      found = tags(stream.tags, firstSound: stream.firstSound)
    } else if !header.isEmpty, let fragments = MovieFragments(header: header, bytes) {
      found = tags(fragments.tags, firstSound: fragments.firstSound)
    }
    return found.sorted { $0.ticks < $1.ticks }
  }

  private mutating func frontTag(_ front: [UInt8]) -> TimedTags? {
    guard let tag = StreamedID3(front) else { return nil }
    if base == nil, let time = tag.time { base = time - passed }
    guard !tag.tags.isEmpty else { return nil }
    let told = base.flatMap { base in tag.time.map { TimedTags.ticks(from: base, to: $0) } }
    return TimedTags(ticks: told ?? passed, tags: tag.tags)
  }

  private mutating func tags(
    _ stamped: [(time: Int64, bytes: [UInt8])], firstSound: Int64?
  ) -> [TimedTags] {
    base = base ?? firstSound
    guard let base else { return [] }
    return stamped.prefix(Self.most).compactMap { time, bytes in
      guard let tag = StreamedID3(bytes), !tag.tags.isEmpty else { return nil }
      return TimedTags(ticks: TimedTags.ticks(from: base, to: time), tags: tag.tags)
    }
  }
}
