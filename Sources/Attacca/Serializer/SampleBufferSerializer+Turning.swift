// SPDX-License-Identifier: Apache-2.0

import MediaTime
import SampleBuffers

// Turning round; on the serialization queue.
extension SampleBufferSerializer {
  /// Prepares what is heard the other way, to be spliced in where the playhead is by then.
  ///
  /// What is prepared begins so far beyond `playhead`, a time of the timeline, that what plays does not get there meanwhile;
  /// in an item that follows if need be. The item at `playhead` is `heard`, and `generation` is the number of the renderer's
  /// content in which `playhead` was read.
  func turn(
    _ order: PlayOrder, at playhead: RationalTime, in generation: Int, from heard: ItemSpan,
    needed: RationalTime
  ) {
    assertOnQueue()
    // Held, it turns round where it is held: what was heard until then may still be on its way.
    let lead = renderer.heldTime.map { max(.zero, $0 - playhead) } ?? leadOfTurn(needed)
    var span = heard
    let followers = state.timeline.spans.drop { $0.range.occurrence != heard.range.occurrence }
      .dropFirst()
    for next in followers where next.end != next.begin {
      guard next.begin <= playhead + lead, order.leadsBack(from: next.range, to: span.range)
      else { break }
      span = next
    }
    let known = knownSkips(of: span)
    span.skips = known.skips
    let gap = span.range.isReversed ? span.range.gap : .zero
    let whole = span.duration.map { span.time(ofPlace: $0) + gap }
    var end = [span.end, whole, playhead + lead].compactMap(\.self).min() ?? playhead
    if order.silenceSkipping != nil {
      // What is left out farther on is not known.
      end = max(playhead, min(end, known.end))
      // From within a silence another part of it would be left out than was on the way there.
      if let silence = span.skips.silence(at: end - span.lineStart) {
        end = max(end, span.time(ofPlace: silence.end))
      } else if let open = span.skips.openSilence {
        end = max(playhead, min(end, span.time(ofPlace: open)))
      }
    }
    let offset = span.offset(at: end)
    var first = order.range(of: span.range.occurrence, from: offset)
    // Where items overlap it goes back over the same frames.
    if let exit = exit(of: span, order), span.time(ofPlace: exit.behind) < end {
      (first.from, first.entry) = (PlayedRange.edge(isReversed: order.isReversed), exit.back)
    }
    prepare(
      PreparedSplice(
        content: DecodeAhead(
          order: order, first: first, zero: span.start(at: end), isTurn: true, offset: offset,
          tail: entry(of: span, order)),
        generation: state.generation,
        joint: PreparedSplice.Joint(
          occurrence: first.occurrence, from: playhead, until: nil, lineGeneration: generation),
        fade: .standard, isMiddle: true, needed: needed,
        lead: max(lead, end - playhead)))
  }

  /// What is left out of an item on the timeline, and up to where that is known: as far as it has been decoded.
  private func knownSkips(of span: ItemSpan) -> (skips: SkippedParts, end: RationalTime) {
    guard let playing = state.playing,
      let begun = playing.begun.last(where: { $0.range.occurrence == span.range.occurrence }),
      begun.start == span.lineStart
    else { return (span.skips, span.end ?? state.timeline.handedEnd) }
    return (begun.skips, begun.end ?? playing.decodedEnd)
  }

  /// The item that `order` goes back to at once from the silence in front of `span`, as that is shorter by now than
  /// what is left of it; nil where there is something to go back over.
  func followingSilence(
    _ order: PlayOrder, at playhead: RationalTime, in span: ItemSpan
  ) -> PlayedRange? {
    let (occurrence, offset) = (span.range.occurrence, span.offset(at: playhead))
    guard order.isReversed, offset < .zero, offset <= order.exit(of: occurrence) ?? .zero else {
      return nil
    }
    return order.following(occurrence)
  }

  /// The overlap that `span` ends in, the other way round, and when that begins in the item; nil where `order` does
  /// not lead back over it.
  private func exit(
    of span: ItemSpan, _ order: PlayOrder
  ) -> (back: Overlap, behind: RationalTime)? {
    let begun = state.playing?.begun.last { $0.range.occurrence == span.range.occurrence }
    guard let overlap = begun?.tail?.overlap,
      let back = order.transition(after: overlap.transition.entering.occurrence),
      back.leads(backOver: overlap.transition), let mirrored = overlap.mirrored(back)
    else { return nil }
    return (mirrored, overlap.begin)
  }

  /// The end of `span` the other way round, where it began with an overlap that `order` leads back over.
  private func entry(of span: ItemSpan, _ order: PlayOrder) -> Tail? {
    guard let overlap = span.range.entry,
      let back = order.transition(after: span.range.occurrence),
      back.leads(backOver: overlap.transition), let mirrored = overlap.mirrored(back)
    else { return nil }
    return Tail(transition: back, overlap: mirrored)
  }

  /// Returns how far what plays goes on, at its speed, in twice the time for which `needed` is heard.
  private func leadOfTurn(_ needed: RationalTime) -> RationalTime {
    let seconds = Double(needed.numerator) / Double(needed.denominator) / max(renderer.rate, 1 / 4)
    let speed = Double(renderer.format.sampleRate) / Double(renderer.timelineRate)
    return RationalTime(frames: Int64(2 * seconds * speed * 1e6), rate: 1_000_000)
  }

  /// Passes the items that end before `time`, at which what plays turns round: they will have been heard.
  func passItems(before time: RationalTime) {
    assertOnQueue()
    while state.timeline.spans.count > 1, state.timeline.spans[1].begin < time { crossBoundary() }
  }

  /// Has what is on the timeline now be heard from `time` on.
  func turned(at time: RationalTime) {
    assertOnQueue()
    let shown = nowPlaying.span?.range.occurrence
    if state.timeline.turn(at: time, from: shown), let span = state.timeline.spans.first {
      nowPlaying.span = span
      // Items that it turned round beyond are not heard, and may follow later.
      state.hear(span.range.occurrence)
    }
    publish()
    watchBoundary()
  }
}
