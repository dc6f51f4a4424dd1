// SPDX-License-Identifier: Apache-2.0

import Preconditions
import MediaTime
import SampleBuffers
import SoundFiles
import Synchronization

/// A run of items being turned into buffers: which one is open, what is decoded and waits, and
/// where the next one starts.
///
/// A pure state machine, on the serialization queue: it says what to decode and takes what came of
/// it.
struct DecodeAhead {
  /// So many items in a row that yield no frame are remembered one by one.
  static let remembered = 32

  private static let lastNumber = Atomic<Int>(0)
  /// Distinguishes one from the others, so that a step's outcome finds the one that it was asked for by.
  private(set) var number = DecodeAhead.newNumber()
  private(set) var order: PlayOrder
  private var next: Next
  private var start: Start
  private var reading = Reading()
  private var step = Step()
  private(set) var pieces = Pieces()
  /// The items whose decoding has begun, in order; the heard one first.
  private(set) var begun: [Begun]
  /// Index in `begun` of the item that is being decoded.
  private var current: Int
  /// Media time at which the last decoded buffer ends.
  private(set) var decodedEnd: RationalTime
  private var barren: BarrenRow
  private(set) var overlaps = Overlaps()

  private static func newNumber() -> Int { lastNumber.add(1, ordering: .relaxed).newValue }

  /// Begins with `begun`, of which the first is decoded from `offset` on; the others, if any, have
  /// yielded nothing.
  ///
  /// The first is on the timeline already up to `joint`, if that is given.
  ///
  /// - Precondition: the start of the first is known.
  init(order: PlayOrder, begun: [Begun], offset: RationalTime, joint: RationalTime? = nil) {
    guard let start = begun[0].start else { trap("an item without a place") }
    var begun = begun
    // What is left out behind that is found again.
    begun[0].skips = begun[0].skips.upTo(offset)
    self.init(
      order: order, begun: begun, place: .offsetZero(at: start, from: offset),
      begin: start + begun[0].skips.line(of: offset), joint: joint)
  }

  private init(
    order: PlayOrder, begun: [Begun], place: DecodeStep.Place, begin: RationalTime,
    joint: RationalTime?
  ) {
    self.order = order
    self.begun = begun
    start = Start(at: begin, continuing: begun[0].range.occurrence, upTo: joint)
    current = -1
    next = Next(range: begun[0].range, time: begin, firstPlace: place)
    decodedEnd = begin
    barren = BarrenRow(count: begun.reversed().prefix(while: \.isBarren).count)
  }

  /// Begins with `first`; its offset zero would be heard at media time `zero`.
  ///
  /// `isTurn` says that it is on the timeline already, the other way round: it is decoded from `offset` on, if
  /// that is given, and ends as `tail` says.
  init(
    order: PlayOrder, first: PlayedRange, zero: RationalTime = .zero, isTurn: Bool = false,
    offset: RationalTime? = nil, tail: Tail? = nil
  ) {
    let from = offset ?? first.from
    guard first.isReversed else {
      self.init(
        order: order, begun: [Begun(range: first, start: zero, tail: tail)], offset: from,
        joint: isTurn ? zero + from : nil)
      return
    }
    // How long it is is not known before it is open.
    let begin = .zero - (from == PlayedRange.end ? zero : zero + from)
    self.init(
      order: order, begun: [Begun(range: first, tail: tail)],
      place: .mirrored(zero: zero, from: from), begin: begin, joint: isTurn ? begin : nil)
  }

  /// Nothing is left to decode.
  var isExhausted: Bool { reading.item == nil && next.range == nil && !isDecoding }

  /// The exact time of the first frame: where it was asked to begin, until a file has told
  /// which of its frames that is.
  var begin: RationalTime { start.time }

  /// The first item could not be read again: it ends where that is on the timeline, and what follows begins there.
  var isBehindJoint: Bool { start.isBehindJoint }

  /// True while a decode step is under way.
  var isDecoding: Bool { step.isUnderWay }

  /// True where the run has ended because all that would follow yields nothing, again and again.
  var isBarren: Bool { barren.isRound }

  /// True as long as neither the run nor what it continues has a frame.
  private var isUnheard: Bool { !start.hasFrames && start.continued == nil }

  /// The search for the length of the item that is open, if its file did not tell that.
  var lengthSearch: LengthSearch? { reading.lengthSearch }

  /// The items begun are as long as their files have told by now.
  mutating func learn(_ duration: RationalTime, of occurrence: Occurrence) {
    for i in begun.indices where begun[i].range.occurrence.id == occurrence.id {
      begun[i].duration = duration
    }
  }

  /// True while an item is open, and has more to be decoded.
  var isOpen: Bool { reading.item != nil }

  /// The items behind the one that was begun last, at most `count`, without that one and each once.
  func upcoming(_ count: Int) -> [PlaylistItem] {
    guard let last = begun.last?.range.occurrence else { return [] }
    var (items, occurrence): ([PlaylistItem], Occurrence) = ([], last)
    while items.count < count, let next = order.following(occurrence)?.occurrence,
      let item = order.item(of: next), item.id != last.id, !items.contains(item)
    {
      items.append(item)
      occurrence = next
    }
    return items
  }

  /// The item that the step under way opens or reads, and which of the two; nil where none is under way.
  var wait: PlaybackWait? {
    guard isDecoding, begun.indices.contains(current) else { return nil }
    if let open = reading.item { return PlaybackWait(item: open.item, reason: .reading) }
    return order.item(of: begun[current].range.occurrence).map {
      PlaybackWait(item: $0, reason: .opening)
    }
  }

  /// The step that decodes about `duration` more; nil at the end, and while a step is under way.
  mutating func nextStep(duration: RationalTime) -> DecodeStep? {
    guard !isDecoding else { return nil }
    if let open = reading.item {
      step.begin(order.transition(after: open.range.occurrence))
      return DecodeStep(
        subject: .open(open), duration: duration, transition: step.transition, order: order)
    }
    guard let range = next.range, let item = order.item(of: range.occurrence) else { return nil }
    step.beginItem(order.transition(after: range.occurrence))
    var followers: Followers?
    if !next.isFirst, let first = barren.firstOfMany {
      followers = Followers(order, behind: range.occurrence, barren: first, isBare: isUnheard)
    }
    let place = next.place
    if !next.isFirst { begun.append(Begun(range: range, isBare: isUnheard)) }
    current = next.isFirst ? 0 : begun.count - 1
    next.firstPlace = nil
    decodedEnd = next.time
    // What was begun before and is read again ends as it did, or would have.
    let tail = begun[current].endsAsWell(in: order) ? begun[current].tail : nil
    begun[current].tail = tail
    return DecodeStep(
      subject: .item(item, range, place), duration: duration, transition: step.transition,
      tail: tail, skips: begun[current].skips, order: order, followers: followers)
  }

  /// Takes what came of the step under way, which could not open the `skipped` items before that.
  ///
  /// - Returns: why items are not played, or not further.
  mutating func take(
    _ outcome: DecodeStep.Outcome, behind skipped: SkippedItems? = nil
  ) -> [ItemFailure] {
    guard let skipped else { return take(outcome).map { [$0] } ?? [] }
    guard skip(skipped) else {
      // What follows the first of them is another item now.
      return take(.failed(skipped.error, skipped.first, nil)).map { [$0] } ?? []
    }
    var failures = [ItemFailure(skipped)]
    if let failure = take(outcome) {
      if case .failed(_, _, nil) = outcome {
        failures[0].furtherCount += 1
      } else {
        failures.append(failure)
      }
    }
    return failures
  }

  /// The step under way has gone on from items that could not be opened to one behind them.
  ///
  /// - Returns: false, and nothing changed, where the order is another one now.
  private mutating func skip(_ skipped: SkippedItems) -> Bool {
    guard step.isOfPresentOrder else { return false }
    begun[current].range = skipped.last
    begun[current].skipped += skipped.count - 1
    begun[current].end = decodedEnd
    barren.add(skipped.count)
    forgetBarren()
    begun.append(Begun(range: skipped.next.range, isBare: isUnheard))
    current += 1
    step.transition = order.transition(after: skipped.next.range.occurrence)
    return true
  }

  /// Of a long row of items without a frame the one before the last is only counted from now on.
  private mutating func forgetBarren() {
    guard barren.count > Self.remembered, current > 1, current == begun.count - 1,
      begun[current].isBarren, begun[current - 1].isBarren
    else { return }
    begun[current].skipped += begun[current - 1].skipped + 1
    begun.remove(at: current - 1)
    current -= 1
  }

  private mutating func take(_ outcome: DecodeStep.Outcome) -> ItemFailure? {
    step.end()
    switch outcome {
    case .buffer(let buffer, let open, let began):
      if began { opened(open) }
      decide(open)
      take(open.takeNewSkips(), of: open)
      while let part = reading.popVolumePart(upTo: open.shown - (buffer.endTime - buffer.time)) {
        let time = open.start + begun[current].skips.line(of: part.begin)
        pieces.append(.volume(begun[current].range.occurrence, part, at: time))
      }
      for change in open.takeTagChanges() {
        pieces.append(.tags(begun[current].range.occurrence, change.tags, at: change.time))
      }
      pieces.append(.buffer(buffer))
      start.take(buffer.time)
      begun[current].hasFrames = true
      barren.end()
      decodedEnd = buffer.endTime
      reading.item = open
      if isPastDecision(current, in: order) { overlaps.isMisled = true }
    case .silence(let open, let began):
      if began { opened(open) }
      decide(open)
      reading.item = open
    case .ended(let open, let began):
      if began { opened(open) }
      decide(open)
      take(open.takeNewSkips(), of: open)
      if begun[current].tail == nil {
        begun[current].tail = Tail(transition: step.transition, overlap: nil)
      }
      overlaps.isMisled = !begun[current].endsAsWell(in: order)
      begun[current].duration = open.span.duration
      close(at: open.end, isOpen: true)
      return open.truncation.map { ItemFailure(item: open.item, error: $0) }
    case .failed(let error, let item, let open):
      passJoint()
      close(at: open?.end ?? decodedEnd, isOpen: open != nil)
      return ItemFailure(item: item, error: error)
    }
    return nil
  }

  /// Takes note of what is left out of the item that is open.
  private mutating func take(_ skips: [SkippedParts.Part], of open: OpenItem) {
    begun[current].skips = open.skips
    for part in skips { pieces.append(.skip(begun[current].range.occurrence, part)) }
  }

  private mutating func opened(_ open: OpenItem) {
    begun[current].start = open.start
    begun[current].duration = open.span.duration
    reading.open(open)
    var span = open.span
    // What has been left out since follows by itself.
    span.skips = begun[current].skips
    pieces.append(.began(span))
  }

  /// True where the item being decoded has been read into the overlap that another order has it end in.
  func isPastDecision(_ index: Int, in order: PlayOrder) -> Bool {
    let item = begun[index]
    guard index == current, item.tail == nil, let duration = item.duration,
      let end = item.lineTime(of: duration),
      let transition = order.transition(after: item.range.occurrence),
      !Transition.isSame(transition, step.transition)
    else { return false }
    return decodedEnd > end - RationalTime(transition.crossfade.duration)
  }

  /// Takes note of how `open` ends, once that is decided.
  private mutating func decide(_ open: OpenItem) {
    guard let tail = open.tail, begun[current].tail == nil else { return }
    begun[current].tail = tail
    overlaps.isMisled = !begun[current].endsAsWell(in: order)
    guard tail.overlap != nil else { return }
    overlaps.count += 1
    reading.addEnd(of: open)
  }

  /// An item that has been heard up to here and cannot be read again is heard as far as it was read
  /// before.
  private mutating func passJoint() {
    guard current == 0, let joint = start.passJoint() else { return }
    decodedEnd = joint
  }

  /// The item being decoded is over.
  private mutating func close(at end: RationalTime, isOpen: Bool) {
    let occurrence = begun[current].range.occurrence
    begun[current].end = end
    // An item without a frame is never heard.
    let isUnheard = isOpen && begun[current].isBarren && current > 0
    if isOpen, !isUnheard || !pieces.forgetBegin(of: occurrence) {
      pieces.append(.ended(occurrence, at: end))
    }
    // A seek past its end does not make an item barren, nor does a playhead that is there.
    let range = begun[current].range
    if !begun[current].hasFrames, occurrence != start.continued,
      range.isFromEdge || range.isLooping
    {
      barren.add(occurrence)
      forgetBarren()
    }
    next.time = end
    reading.close()
    findNext()
  }

  private mutating func findNext() {
    guard let last = begun.last else { return }
    next.range = order.following(last.range.occurrence)?.entered(isBare: isUnheard)
    // What ended before the middle of its overlap has nothing of the next one in it.
    if let overlap = last.tail?.overlap, let middle = last.lineTime(of: overlap.middle),
      last.end == middle,
      next.range?.occurrence == overlap.transition.entering.occurrence
    {
      next.range?.entry = order.renewed(overlap)
    }
    if barren.comesRound(with: next.range?.occurrence) { next.range = nil }
  }

  /// The step under way, which could not open the `skipped` items before, is given up; what was decoded
  /// of its item stays.
  mutating func giveUp(behind skipped: SkippedItems? = nil) {
    if let skipped { _ = skip(skipped) }
    step.end()
    passJoint()
    close(at: decodedEnd, isOpen: isOpen)
  }

  /// Audio that is decoded and has not been handed over.
  var waiting: RationalTime { pieces.duration }

  mutating func popFirst() -> Piece? { pieces.popFirst() }

  /// Items before the one heard now need not be remembered.
  mutating func forgetBegun(before occurrence: Occurrence) {
    guard let i = begun.firstIndex(where: { $0.range.occurrence == occurrence }) else { return }
    begun.removeFirst(i)
    current -= i
  }

  /// Before its first item, `occurrence`, those of `old` before the same are on the timeline.
  mutating func precede(by old: [Begun], before occurrence: Occurrence) {
    let place = old.firstIndex { $0.range.occurrence == occurrence }
    guard let place, begun.first?.range.occurrence == occurrence else { return }
    begun.insert(contentsOf: old[..<place], at: 0)
    current += place
  }

  // MARK: Another order

  /// Has `order` tell the items behind those begun so far.
  mutating func follow(_ order: PlayOrder) {
    self.order = order
    step.followOrder()
    if !next.isFirst && !isDecoding && !isOpen { findNext() }
  }

  /// Has `order` tell the items behind the first `kept` of those begun; the rest is dropped, with the outcome
  /// of a step under way.
  ///
  /// - Precondition: nothing of the rest has been handed over, and `kept` is in 1..<begun.count.
  mutating func follow(_ order: PlayOrder, keeping kept: Int) {
    guard let end = begun[kept - 1].end else { trap("an open item was followed") }
    let dropped = Set(begun[kept...].map(\.range.occurrence))
    pieces.drop(fromBeginOf: dropped)
    begun.removeSubrange(kept...)
    (next.time, decodedEnd, reading.item) = (end, end, nil)
    step.end()
    overlaps.isMisled = false
    barren.restart(count: begun.reversed().prefix(while: \.isBarren).count)
    number = Self.newNumber()
    self.order = order
    step.followOrder()
    findNext()
  }
}
