// SPDX-License-Identifier: Apache-2.0

import DequeModule
import MediaTime
import SampleBuffers
import SoundFiles
import Synchronization

/// A run of items being turned into buffers: which one is open, what is decoded and waits, and
/// where the next one starts.
///
/// A pure state machine, on the serialization queue: it says what to decode and takes what came of
/// it.
struct Feed {
  /// What a feed yields, in the order of the timeline.
  enum Piece {
    case began(ItemSpan)
    case buffer(SampleBuffer)
    case ended(PlaylistItem.ID, at: RationalTime)
  }

  private static let lastNumber = Atomic<Int>(0)
  /// Distinguishes feeds, so that a step's outcome finds the one that it was asked for by.
  private(set) var number = Feed.lastNumber.add(1, ordering: .relaxed).newValue
  private(set) var items: PlaylistItems
  /// The item to be opened next.
  private(set) var nextIndex: Int
  /// Where that one starts.
  private(set) var nextStart: RationalTime
  /// How far into the first item the feed begins.
  private var firstOffset: RationalTime
  private var open: OpenItem?
  private(set) var pieces: Deque<Piece> = []
  /// The exact time of the first frame: where the feed was asked to begin, until a file has told
  /// which of its frames that is.
  private(set) var begin: RationalTime
  private var hasBegun = false
  /// Buffered audio that waits in `pieces`.
  private(set) var waiting = RationalTime.zero
  private(set) var isDecoding = false
  /// The items whose decoding has begun, in order.
  private(set) var begun: [PlaylistItem.ID] = []
  /// Where the last decoded buffer ends.
  private var decodedEnd: RationalTime

  init(items: PlaylistItems, at index: Int, start: RationalTime, offset: RationalTime) {
    (self.items, nextIndex, nextStart) = (items, index, start)
    firstOffset = offset
    begin = start + offset
    decodedEnd = begin
  }

  /// Nothing is left to decode.
  var isExhausted: Bool { open == nil && nextIndex >= items.count && !isDecoding }

  /// What to decode next, about `duration` of it; nil at the end, and while a step is under way.
  mutating func nextStep(duration: RationalTime) -> DecodeStep? {
    guard !isDecoding else { return nil }
    if let open {
      isDecoding = true
      return DecodeStep(subject: .open(open), duration: duration)
    }
    guard nextIndex < items.count else { return nil }
    isDecoding = true
    let item = items[nextIndex]
    nextIndex += 1
    begun.append(item.id)
    decodedEnd = nextStart
    let offset = firstOffset
    firstOffset = .zero
    return DecodeStep(
      subject: .item(item, start: nextStart, offset: offset), duration: duration)
  }

  /// Why an item is not played, or not further.
  typealias Failure = (item: PlaylistItem, error: SoundFileError)

  /// Takes what came of the step under way.
  mutating func take(_ outcome: DecodeStep.Outcome) -> Failure? {
    isDecoding = false
    switch outcome {
    case .buffer(let buffer, let open, let began):
      if began { pieces.append(.began(open.span)) }
      pieces.append(.buffer(buffer))
      if !hasBegun { (begin, hasBegun) = (buffer.time, true) }
      decodedEnd = buffer.endTime
      waiting = waiting + (buffer.endTime - buffer.time)
      self.open = open
    case .ended(let open, let began):
      if began { pieces.append(.began(open.span)) }
      close(open)
      return open.truncation.map { (open.item, $0) }
    case .failed(let error, let open):
      if let open { close(open) }
      return (open?.item ?? items[nextIndex - 1], error)
    }
    return nil
  }

  private mutating func close(_ open: OpenItem) {
    pieces.append(.ended(open.item.id, at: open.end))
    nextStart = open.end
    self.open = nil
  }

  /// The step under way is given up; what was decoded of its item stays.
  mutating func giveUp(on item: PlaylistItem) {
    isDecoding = false
    if open != nil {
      pieces.append(.ended(item.id, at: decodedEnd))
      nextStart = decodedEnd
    }
    open = nil
  }

  mutating func popFirst() -> Piece? {
    let piece = pieces.popFirst()
    if case .buffer(let buffer) = piece { waiting = waiting - (buffer.endTime - buffer.time) }
    return piece
  }

  /// Items up to the one heard now need not be remembered.
  mutating func forgetBegun(before id: PlaylistItem.ID) {
    if let i = begun.firstIndex(of: id) { begun.removeFirst(i) }
  }

  /// What is heard before the first item that was begun here, in order.
  mutating func remember(before ids: [PlaylistItem.ID]) { begun.insert(contentsOf: ids, at: 0) }

  /// Behind item `id`, whose end has not been handed over yet, another list follows.
  ///
  /// What was decoded of others is dropped, and what a step under way brings finds no feed.
  ///
  /// - Returns: false, and nothing changed, where that end is not here.
  mutating func follow(_ items: PlaylistItems, from index: Int, behind id: PlaylistItem.ID) -> Bool
  {
    let place = pieces.lastIndex {
      if case .ended(id, _) = $0 { true } else { false }
    }
    guard let place, case .ended(_, let end) = pieces[place] else { return false }
    while pieces.count > place + 1, let piece = pieces.popLast() {
      if case .buffer(let buffer) = piece { waiting = waiting - (buffer.endTime - buffer.time) }
    }
    if let last = begun.lastIndex(of: id) { begun.removeSubrange((last + 1)...) }
    (nextStart, decodedEnd, open, isDecoding) = (end, end, nil, false)
    number = Self.lastNumber.add(1, ordering: .relaxed).newValue
    follow(items, from: index)
    return true
  }

  /// What follows the items opened so far is another list now.
  mutating func follow(_ items: PlaylistItems, from index: Int) {
    (self.items, nextIndex) = (items, index)
  }
}
