// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import MediaTime
@testable import PulseDevice
@testable import Rendering
import SoundFiles
import Testing

/// The items on the timeline, one second each.
@Suite struct SerializedTimelineTests {
  private static let items = (0..<4).map { PlaylistItem(path: "\($0)") }
  private static let order = PlayOrder(items: PlaylistItems(items))

  private static func second(_ number: Int) -> RationalTime {
    RationalTime(frames: Int64(number), rate: 1)
  }

  private static func occurrence(_ index: Int) -> Occurrence {
    Occurrence(id: items[index].id, pass: 0)
  }

  private static func span(
    _ index: Int, at begin: Int, to end: Int? = nil, place: Int = 0
  ) -> ItemSpan {
    ItemSpan(
      item: items[index], range: order.range(of: occurrence(index), from: .zero),
      lineStart: second(begin), begin: second(begin), duration: second(1), tags: Tags(),
      end: end.map(second), sampleRate: 48_000, place: place)
  }

  /// The first three items, of which the first is heard.
  private static var timeline: SerializedTimeline {
    var timeline = SerializedTimeline()
    for i in 0..<3 { timeline.spans.append(span(i, at: i, to: i + 1, place: timeline.nextPlace())) }
    return timeline
  }

  /// What takes over: `joint` is the item whose end or middle it begins in, `begun` the one whose
  /// beginning has been converted for it.
  private static func splice(joint: Int?, begun: Int, lead: RationalTime? = nil) -> PreparedSplice {
    var splice = PreparedSplice(
      content: DecodeAhead(
        order: order,
        begun: [.init(range: order.range(of: occurrence(begun), from: .zero), start: second(1))],
        offset: .zero),
      generation: 5,
      joint: joint.map {
        .init(occurrence: occurrence($0), from: second(1), until: second(1), lineGeneration: 0)
      },
      fade: nil, isMiddle: false, needed: .zero, lead: lead)
    splice.spliced = [.began(span(begun, at: 1))]
    return splice
  }

  private func names(_ timeline: SerializedTimeline) -> String {
    timeline.spans.map { "\($0.item.path)\($0.end.map { " to \($0.numerator)" } ?? "")" }
      .joined(separator: ", ")
  }

  @Test func `a start takes the whole timeline, and is heard from its begin on`() {
    var timeline = Self.timeline
    let cut = timeline.takeOver(Self.splice(joint: nil, begun: 3), traversal: 2)
    #expect(cut == nil && timeline.spans.isEmpty && timeline.traversal == 2)
    #expect(timeline.generation == 5 && timeline.beginning == Self.second(1))
  }

  @Test func `a turn takes the whole timeline of the same start`() {
    var timeline = Self.timeline
    let splice = Self.splice(joint: 1, begun: 1, lead: Self.second(1))
    let cut = timeline.takeOver(splice, traversal: 2)
    #expect(cut == nil && timeline.spans.isEmpty)
    #expect(timeline.generation == 0 && timeline.beginning == nil)
  }

  @Test func `an item that is read again at a joint takes its own place`() {
    var timeline = Self.timeline
    let cut = timeline.takeOver(Self.splice(joint: 1, begun: 1), traversal: 2)
    #expect(cut == nil && names(timeline) == "0 to 1")
  }

  @Test func `an item that cannot be read again ends where what follows begins`() {
    var timeline = Self.timeline
    let cut = timeline.takeOver(Self.splice(joint: 0, begun: 3), traversal: 2)
    #expect(cut?.item.path == "0" && names(timeline) == "0 to 1")
  }

  @Test func `a joint in an item that is not there any more leaves nothing`() {
    var timeline = Self.timeline
    _ = timeline.takeOver(Self.splice(joint: 3, begun: 3), traversal: 2)
    #expect(timeline.spans.isEmpty)
  }

  @Test func `the first item is crossed into, and each of the others out of the one before`() {
    var timeline = SerializedTimeline()
    _ = timeline.takeOver(Self.splice(joint: nil, begun: 0), traversal: 1)
    timeline.spans = [Self.span(0, at: 0), Self.span(1, at: 1)]
    // A playhead that begins behind an item's begin is heard from there.
    #expect(timeline.boundaryTime == Self.second(1) && timeline.hasBoundary)
    let first = timeline.cross()
    #expect(first == nil && timeline.boundaryTime == Self.second(1))
    let second = timeline.cross()
    #expect(second?.item.path == "0" && timeline.boundaryTime == nil && !timeline.hasBoundary)
    let third = timeline.cross()
    #expect(third == nil && names(timeline) == "1")
  }

  @Test func `an item without a frame is not on it, unless it is heard`() {
    var timeline = Self.timeline
    timeline.spans.insert(Self.span(3, at: 1, to: 1), at: 1)
    timeline.dropEmpty()
    #expect(names(timeline) == "0 to 1, 1 to 2, 2 to 3")
    timeline.spans = [Self.span(3, at: 1, to: 1), Self.span(1, at: 1, to: 2)]
    timeline.dropEmpty()
    #expect(names(timeline) == "3 to 1, 1 to 2")
  }

  @Test func `what has turned round is heard from the turn on`() {
    var timeline = Self.timeline
    let goesOn = timeline.turn(at: Self.second(1), from: Self.occurrence(1))
    #expect(goesOn && names(timeline) == "1 to 2, 2 to 3" && timeline.beginning == nil)
    let isOther = timeline.turn(at: Self.second(2), from: Self.occurrence(1))
    #expect(!isOther && names(timeline) == "2 to 3" && timeline.beginning == Self.second(2))
  }

  @Test func `an item not on it yet is heard behind all that is`() {
    let timeline = Self.timeline
    let known = timeline.position(ofNext: Self.occurrence(1), generation: 4)
    #expect(known.place == 2 && known.generation == 4 && known.offset == .zero)
    #expect(timeline.position(ofNext: Self.occurrence(3), generation: 4).place == 3)
  }
}
