// SPDX-License-Identifier: Apache-2.0

import MediaTime
import SampleBuffers
import SoundFiles

/// One job of a decoder thread: open the next item if none is open, and read one buffer of it.
struct DecodeStep: Sendable {
  /// The place on the timeline that an item is put at.
  enum Place: Sendable {
    /// Its offset zero would be heard at a time; it is decoded from an offset on.
    case offsetZero(at: RationalTime, from: RationalTime)
    /// It is played backwards: offset zero would be heard at media time `zero`; it is decoded from an
    /// offset on.
    case mirrored(zero: RationalTime, from: RationalTime)
    /// The first frame played of it is heard at a time.
    case firstFrame(at: RationalTime)
  }

  /// The item that a step reads from.
  enum Subject: Sendable {
    case open(OpenItem)
    case item(PlaylistItem, PlayedRange, Place)
  }

  /// The outcome of a step.
  enum Outcome: Sendable {
    /// A buffer; `began` when it is the item's first.
    case buffer(SampleBuffer, OpenItem, began: Bool)
    /// Silence, none of which is heard; `began` when it is the item's first.
    case silence(OpenItem, began: Bool)
    /// The item is over; `began` when it had not one frame.
    case ended(OpenItem, began: Bool)
    /// The item cannot be played, or not further.
    case failed(any Error, PlaylistItem, OpenItem?)
  }

  let subject: Subject
  let duration: RationalTime
  /// The overlap that the item is to end in; nil for none.
  var transition: Transition?
  /// The end that has been decided on for it; nil where that has not been.
  var tail: Tail?
  /// What is left out of the item before the place that it is put at.
  var skips = SkippedParts()
  /// The order of which it is a step.
  var order: PlayOrder
  /// The items to go on to where that one cannot be opened; nil for none.
  var followers: Followers?

  var item: PlaylistItem { Self.item(of: subject) }

  private static func item(of subject: Subject) -> PlaylistItem {
    switch subject {
    case .open(let open): open.item
    case .item(let item, _, _): item
    }
  }

  /// Carries the step out; on a decoder thread, for as long as it takes.
  ///
  /// Items that it could not open and went on from are noted in `pending`; it goes on to no other once
  /// `isAwaited` says that there is something else to do.
  func run(
    in pending: PendingOutcome, isAwaited: () -> Bool, ahead: OpeningAhead,
    open: @escaping DecoderWatchdog.Opener
  ) -> Outcome {
    var outcome = run(subject, in: pending, ahead: ahead, open: open)
    guard var followers, case .item(let first, let range, let place) = subject else {
      return outcome
    }
    let end = HostTime.now() + Followers.duration
    while case .failed(let error, _, nil) = outcome, HostTime.now() < end, !isAwaited(),
      let (item, next) = followers.next()
    {
      pending.skip(first, range, error, to: (item, next))
      // What yields no frame takes no time.
      outcome = run(.item(item, next, place), in: pending, ahead: ahead, open: open)
    }
    return outcome
  }

  private func run(
    _ subject: Subject, in pending: PendingOutcome, ahead: OpeningAhead,
    open: @escaping DecoderWatchdog.Opener
  ) -> Outcome {
    var openItem: OpenItem?
    do {
      let (current, began): (OpenItem, Bool)
      switch subject {
      case .open(let open): (current, began) = (open, false)
      case .item(let item, let range, let place):
        let source = try ahead.take(item) ?? Self.source(of: item, in: pending, open: open)
        pending.open(source.lengthSearch)
        order.learn(source, of: item, isBegun: range.isFromEdge) { try Self.opened($0, open) }
        (current, began) = (
          try pending.reading(source) {
            try OpenItem(
              item, range, at: place, source: source, tail: tail, skips: skips,
              silence: order.silenceSkipping
            ) { try Self.opened($0, open) }
          }, true
        )
      }
      openItem = began ? nil : current
      var most = current.framesBeforeDecision(transition, duration: duration)
      if most == 0, let transition {
        let following = Self.following(transition, in: pending, ahead: ahead)
        if let following {
          order.learn(following, of: transition.entering.item, isBegun: true) {
            try Self.opened($0, open)
          }
        }
        current.decide(order.renewed(transition), following)
        most = nil
      }
      let next = try pending.reading(current.source) {
        try current.next(duration: duration, atMost: most)
      }
      return switch next {
      case .buffer(let buffer): .buffer(buffer, current, began: began)
      case .more: .silence(current, began: began)
      case .end: .ended(current, began: began)
      }
    } catch {
      return .failed(error, Self.item(of: subject), openItem)
    }
  }

  private static func source(
    of item: PlaylistItem, in pending: PendingOutcome, open: DecoderWatchdog.Opener
  ) throws -> any FrameSource {
    let source = try open(item)
    try pending.reading(source) { try source.open() }
    return source
  }

  /// An item's source, open.
  private static func opened(
    _ item: PlaylistItem, _ open: DecoderWatchdog.Opener
  ) throws -> any FrameSource {
    let source = try open(item)
    try source.open()
    return source
  }

  /// Nanoseconds for which an item's end waits for the item behind it to be opened.
  private static let timeout = 2_000_000_000

  /// Opens what follows in `transition`, in the direction in which it is played; nil where it cannot be opened, or not
  /// in time: its own turn tells why, and waits for it.
  private static func following(
    _ transition: Transition, in pending: PendingOutcome, ahead: OpeningAhead
  ) -> (any FrameSource)? {
    let item = transition.entering.item
    guard case .done(let source?) = ahead.take(item, within: timeout) else { return nil }
    do {
      return try pending.reading(source) {
        try OpenItem.directed(source, item, isReversed: transition.isReversed)
      }
    } catch {
      return nil
    }
  }
}
