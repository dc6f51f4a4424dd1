// SPDX-License-Identifier: Apache-2.0

import Attacca

/// The place in a whole book that is heard, as a line shows it.
struct BookPlace {
  let position: MediaTime
  let length: MediaTime
  /// There is more of it than is known by now.
  let isLonger: Bool

  /// nil where nothing is heard, or it is not known how much lies before.
  init?(_ book: PlaylistTimeline) {
    guard let position = book.position else { return nil }
    self.position = position
    switch book.duration {
    case .exact(let length): (self.length, isLonger) = (length, false)
    case .reading(let length, _), .indefinite(let length, _):
      (self.length, isLonger) = (length, true)
    }
  }
}
