// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// The items that have been put on the timeline, and how far it goes.
struct SerializedTimeline {
  /// The items: what is heard first, what was opened last.
  var spans: [ItemSpan] = []
  /// Place of the item that was put on the timeline last.
  private var lastPlace = 0
  /// Number of the start that is on the timeline.
  private(set) var generation = 0
  /// Number of the renderer's content that what plays continues.
  var lineGeneration = 0
  /// The traversal of media time that the timeline belongs to.
  private(set) var traversal = 0
  /// End of what the renderer has been given.
  var handedEnd = RationalTime.zero
  /// Time at which the first item begins to be heard; nil once it is.
  private(set) var beginning: RationalTime?
  /// True once the renderer has been told that nothing follows.
  var hasFinishedEnqueuing = false

  /// Time at which the next item is heard; nil where there is none.
  var boundaryTime: RationalTime? {
    if let beginning { return spans.first.map { max($0.begin, beginning) } }
    return spans.count > 1 ? spans[1].begin : nil
  }

  /// True while the first item is still to be heard.
  var isBeginning: Bool { beginning != nil }

  /// True where an item is on it behind, or before, what is heard.
  var hasBoundary: Bool { spans.count > 1 || (beginning != nil && !spans.isEmpty) }

  /// The place of the item that is about to be put on it.
  mutating func nextPlace() -> Int {
    lastPlace += 1
    return lastPlace
  }

  /// The end of an item is known.
  ///
  /// - Returns: its index among `spans`; nil where it is not on it any more.
  mutating func end(_ occurrence: Occurrence, at end: RationalTime) -> Int? {
    let i = spans.lastIndex { $0.range.occurrence == occurrence }
    if let i { spans[i].end = end }
    return i
  }

  /// A part of an item is left out.
  ///
  /// - Returns: the item's index among `spans`; nil where it is not on it any more.
  mutating func skip(_ part: SkippedParts.Part, of occurrence: Occurrence) -> Int? {
    let i = spans.lastIndex { $0.range.occurrence == occurrence }
    if let i { spans[i].skips.add(part) }
    return i
  }

  /// True where the timeline holds any of some items.
  func holdsAny(of items: some Collection<DecodeAhead.Begun>) -> Bool {
    items.contains { item in
      spans.contains { $0.range.occurrence == item.range.occurrence }
    }
  }

  /// The beginning of an item as it will be heard.
  func position(ofNext occurrence: Occurrence, generation: Int) -> HeardPosition {
    let span = spans.first { $0.range.occurrence == occurrence }
    return HeardPosition(
      occurrence: occurrence, offset: .zero, generation: generation,
      place: span?.place ?? lastPlace)
  }

  /// Makes room for `new`, which the renderer plays from now on.
  ///
  /// - Returns: the item before the joint that ends where `new` begins, as it could not be opened again;
  ///   nil for none.
  mutating func takeOver(_ new: PreparedSplice, traversal: Int) -> ItemSpan? {
    self.traversal = traversal
    hasFinishedEnqueuing = new.isComplete && new.content.isExhausted
    guard new.lead == nil, let joint = new.joint else {
      spans = []
      if new.lead == nil { (beginning, generation) = (new.content.begin, new.generation) }
      return nil
    }
    // What lies before the joint stays; some of it may have been heard meanwhile.
    let place = spans.lastIndex { $0.range.occurrence == joint.occurrence }
    guard let place, !new.spliced.contains(where: { $0.begins(joint.occurrence) }) else {
      spans.removeSubrange((place ?? 0)...)
      return nil
    }
    // It could not be opened again, and ends where what is new begins.
    spans[place].end = new.content.begin
    spans.removeSubrange((place + 1)...)
    return spans[place]
  }

  /// An item without a frame is never heard.
  mutating func dropEmpty() {
    let first = spans.first?.range.occurrence
    spans.removeAll { $0.end == $0.begin && $0.range.occurrence != first }
    if beginning != nil, let first = spans.first, first.end == first.begin { spans.removeFirst() }
  }

  /// The next item is heard.
  ///
  /// - Returns: the one before; nil where it is the first one.
  mutating func cross() -> ItemSpan? {
    guard beginning == nil else {
      beginning = nil
      return nil
    }
    return spans.count > 1 ? spans.removeFirst() : nil
  }

  /// Turns what is on it now round, which is heard so from `time` on; `shown` is the current item.
  ///
  /// - Returns: whether that goes on.
  mutating func turn(at time: RationalTime, from shown: Occurrence?) -> Bool {
    while spans.count > 1, let end = spans[0].end, end <= time { spans.removeFirst() }
    guard let span = spans.first, span.range.occurrence == shown else {
      beginning = time
      return false
    }
    if beginning != nil { beginning = time }
    return true
  }

  /// Nothing is on it.
  mutating func clear() { (spans, beginning) = ([], nil) }
}
