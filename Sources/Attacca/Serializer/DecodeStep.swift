// SPDX-License-Identifier: Apache-2.0

import MediaTime
import SampleBuffers
import SoundFiles

/// One job of a decoder thread: open the next item if none is open, and read one buffer of it.
struct DecodeStep: Sendable {
  /// What there is to read from.
  enum Subject: Sendable {
    case open(OpenItem)
    case item(PlaylistItem, start: RationalTime, offset: RationalTime)
  }

  /// What came of it.
  enum Outcome: Sendable {
    /// A buffer; `began` when it is the item's first.
    case buffer(SampleBuffer, OpenItem, began: Bool)
    /// The item is over; `began` when it had not one frame.
    case ended(OpenItem, began: Bool)
    /// The item cannot be played, or not further.
    case failed(SoundFileError, OpenItem?)
  }

  let subject: Subject
  let duration: RationalTime

  var item: PlaylistItem {
    switch subject {
    case .open(let open): open.item
    case .item(let item, _, _): item
    }
  }

  /// Carries the step out; on a decoder thread, for as long as it takes.
  func run(open: (String) throws(SoundFileError) -> any FrameSource) -> Outcome {
    var openItem: OpenItem?
    do throws(SoundFileError) {
      let (current, began): (OpenItem, Bool)
      switch subject {
      case .open(let open): (current, began) = (open, false)
      case .item(let item, let start, let offset):
        (current, began) = (
          try OpenItem(item, start: start, offset: offset, open: open), true
        )
      }
      openItem = current
      guard let buffer = try current.next(duration: duration) else {
        return .ended(current, began: began)
      }
      return .buffer(buffer, current, began: began)
    } catch {
      return .failed(error, openItem)
    }
  }
}
