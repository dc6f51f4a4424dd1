// SPDX-License-Identifier: Apache-2.0

import MediaTime
import SampleBuffers
import SoundFiles

/// One job of a decoder thread: open the next item if none is open, and read one buffer of it.
struct DecodeStep: Sendable {
  /// Where on the timeline an item is put.
  enum Place: Sendable {
    /// Its offset zero would be heard at a time; it is decoded from an offset on.
    case offsetZero(at: RationalTime, from: RationalTime)
    /// It is played backwards: offset zero would be heard at media time `zero`; it is decoded from an
    /// offset on.
    case mirrored(zero: RationalTime, from: RationalTime)
    /// The first frame played of it is heard at a time.
    case firstFrame(at: RationalTime)
  }

  /// What there is to read from.
  enum Subject: Sendable {
    case open(OpenItem)
    case item(PlaylistItem, Passage, Place)
  }

  /// What came of it.
  enum Outcome: Sendable {
    /// A buffer; `began` when it is the item's first.
    case buffer(SampleBuffer, OpenItem, began: Bool)
    /// The item is over; `began` when it had not one frame.
    case ended(OpenItem, began: Bool)
    /// The item cannot be played, or not further.
    case failed(SoundFileError, PlaylistItem, OpenItem?)
  }

  let subject: Subject
  let duration: RationalTime
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
    open: (BytePath) throws(SoundFileError) -> any FrameSource
  ) -> Outcome {
    var outcome = run(subject, in: pending, ahead: ahead, open: open)
    guard var followers, case .item(let first, let passage, let place) = subject else {
      return outcome
    }
    let end = HostTime.now() + Followers.duration
    while case .failed(let error, _, nil) = outcome, HostTime.now() < end, !isAwaited(),
      let (item, next) = followers.next()
    {
      pending.skip(first, passage, error, to: (item, next))
      // What yields no frame takes no time.
      outcome = run(.item(item, next, place), in: pending, ahead: ahead, open: open)
    }
    return outcome
  }

  private func run(
    _ subject: Subject, in pending: PendingOutcome, ahead: OpeningAhead,
    open: (BytePath) throws(SoundFileError) -> any FrameSource
  ) -> Outcome {
    var openItem: OpenItem?
    do throws(SoundFileError) {
      let (current, began): (OpenItem, Bool)
      switch subject {
      case .open(let open): (current, began) = (open, false)
      case .item(let item, let passage, let place):
        let source = if let ready = ahead.take(item) { ready } else { try open(item.bytePath) }
        pending.open(source.lengthSearch)
        (current, began) = (try OpenItem(item, passage, at: place, source: source), true)
      }
      openItem = began ? nil : current
      guard let buffer = try current.next(duration: duration) else {
        return .ended(current, began: began)
      }
      return .buffer(buffer, current, began: began)
    } catch {
      return .failed(error, Self.item(of: subject), openItem)
    }
  }
}
