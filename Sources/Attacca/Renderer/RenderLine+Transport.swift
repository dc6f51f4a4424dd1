// SPDX-License-Identifier: Apache-2.0

import MediaTime

extension RenderLine {
  /// Whether the device's time is media time.
  enum Transport: Equatable {
    /// Nothing is heard; timeline frame `media` is next.
    case idle(media: TimelineFrame)
    /// Content is heard as the device goes on.
    case running
    /// The device went on past the content (an underrun); `media` is next, as soon as it is there.
    case stalled(media: TimelineFrame)
  }
}
