// SPDX-License-Identifier: Apache-2.0

import MediaTime

// What the line says of itself.
extension RenderLine {
  /// Timeline frames in a second of media time, of the content that is heard last.
  var rate: Int { map.last.rate }

  /// True where media time is to run as soon as there is content.
  var isStalled: Bool { if case .stalled = transport { true } else { false } }

  /// True where the content that is heard last goes backwards.
  var isReversed: Bool { map.last.isReversed }

  /// Frames of content that lie ahead of stream frame `heard`.
  func lead(past heard: StreamFrame) -> Int64 {
    switch transport {
    case .running: max(0, ring.end - max(heard, ring.begin))
    case .idle(let media), .stalled(let media):
      max(0, ring.end - max(ring.begin, stream(of: media)))
    }
  }

  /// Frames that can be appended now.
  var room: Int { ring.room }

  /// The timeline frame that the content in the ring ends with.
  var contentEnd: TimelineFrame { media(of: endOfContent) }

  /// Stream frame at which timeline frame `media` of the present content lies.
  func stream(of media: TimelineFrame) -> StreamFrame { offset + media.number }

  /// Timeline frame of the present content that lies at stream frame `frame`.
  func media(of frame: StreamFrame) -> TimelineFrame { TimelineFrame(frame - offset) }

  /// Timeline frame that is next while nothing is heard.
  var idleMedia: TimelineFrame {
    switch transport {
    case .idle(let media), .stalled(let media): media
    case .running: contentEnd
    }
  }
}
