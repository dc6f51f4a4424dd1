// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// The parts of an item that the timeline leaves out, and so the way from a place in the item to one on the line.
///
/// Places in the item are counted in the direction in which it is played, those on the line from the item's `lineStart`:
/// where nothing is left out the two are one. What was left out long ago is only summed.
struct SkippedParts: Hashable, Sendable {
  /// A part that is left out.
  struct Part: Hashable, Sendable {
    let begin: RationalTime
    let length: RationalTime
    /// Length of all parts before it.
    let before: RationalTime
    /// The silence that it is the middle of.
    let silence: Silence

    var end: RationalTime { begin + length }
    /// Length of all parts up to its end.
    var sum: RationalTime { before + length }
    /// The place on the line where it would be.
    var line: RationalTime { begin - before }
  }

  /// A run of silent frames.
  struct Silence: Hashable, Sendable {
    let begin: RationalTime
    let end: RationalTime
  }

  /// So many are remembered for sure, one by one.
  private static let remembered = 256
  /// So long they are, however many they are.
  private static let span = RationalTime(frames: 120, rate: 1)

  private(set) var parts: [Part] = []
  /// Beginning of the silence that is being heard in part, and whose end is not known yet; nil for none.
  var openSilence: RationalTime?

  /// Length of all that has been left out.
  var total: RationalTime { parts.last?.sum ?? .zero }

  /// Adds a part behind all others.
  mutating func add(from begin: RationalTime, to end: RationalTime, of silence: Silence) {
    add(Part(begin: begin, length: end - begin, before: total, silence: silence))
  }

  /// Adds `part`, which is known already if it is not behind all others.
  mutating func add(_ part: Part) {
    if let last = parts.last, part.begin < last.end { return }
    parts.append(part)
    guard parts.count > 2 * Self.remembered else { return }
    let limit = part.begin - Self.span
    let old = parts.prefix(Self.remembered).prefix { $0.end < limit }
    parts.removeFirst(old.count)
  }

  /// Forgets what is left out behind `place`, but for the silence that it lies in.
  func upTo(_ place: RationalTime) -> SkippedParts {
    var known = self
    let around = parts.first { $0.end > place && $0.silence.begin <= place }
    if let around { known.openSilence = around.silence.begin }
    while known.parts.count > 1, let last = known.parts.last, last.end > place {
      known.parts.removeLast()
    }
    if let only = known.parts.first, known.parts.count == 1, only.end > place {
      // What was summed before it counts further.
      known.parts = only.before == .zero ? [] : [only.withoutItself]
    }
    if let open = known.openSilence, open > place { known.openSilence = nil }
    return known
  }

  /// The place on the line of a place in the item; of one that is left out, the joint.
  func line(of place: RationalTime) -> RationalTime {
    guard let index = ChapterMap.last(parts.count, where: { parts[$0].begin < place }) else {
      return place - (parts.first?.before ?? .zero)
    }
    let part = parts[index]
    return place < part.end ? part.line : place - part.sum
  }

  /// The place in the item that is heard at a place on the line.
  func place(at line: RationalTime) -> RationalTime {
    guard let index = ChapterMap.last(parts.count, where: { parts[$0].line <= line }) else {
      return line + (parts.first?.before ?? .zero)
    }
    return line + parts[index].sum
  }

  /// The silence that a place on the line lies in, of those that are shortened and whose ends are known; nil for none.
  func silence(at line: RationalTime) -> Silence? {
    let index = ChapterMap.last(parts.count) {
      self.line(of: parts[$0].silence.begin) <= line
    }
    guard let index, line < self.line(of: parts[index].silence.end) else { return nil }
    return parts[index].silence
  }

  /// Beginning of the first silence that is shortened and of which a part lies between two places; nil for none.
  func firstSilence(from begin: RationalTime, to end: RationalTime) -> RationalTime? {
    let first = parts.first { $0.silence.end > begin && $0.silence.begin <= end }
    return first?.silence.begin ?? openSilence.flatMap { $0 <= end ? $0 : nil }
  }
}

extension SkippedParts.Part {
  /// An empty part in the same place: the sum of what lies before it.
  fileprivate var withoutItself: SkippedParts.Part {
    SkippedParts.Part(
      begin: line, length: .zero, before: before,
      silence: SkippedParts.Silence(begin: line, end: line))
  }
}
