// SPDX-License-Identifier: Apache-2.0

// What the line says of itself.
extension RenderLine {
  /// Timeline frames in a second of media time, of the content that is heard last.
  var rate: Int { map.last.rate }

  /// Whether media time is to run as soon as there is content.
  var isStalled: Bool { if case .stalled = transport { true } else { false } }

  /// Whether the content that is heard last goes backwards.
  var isReversed: Bool { map.last.isReversed }

  /// Frames of content that lie ahead of stream frame `heard`.
  func lead(past heard: Int64) -> Int64 {
    switch transport {
    case .running: max(0, ring.end - max(heard, ring.begin))
    case .idle(let media), .stalled(let media): max(0, ring.end - max(ring.begin, media + offset))
    }
  }

  /// Frames that can be appended now.
  var room: Int { ring.room }

  /// The timeline frame that the content in the ring ends with.
  var contentEnd: Int64 { ring.end - offset }

  /// What is next while nothing is heard.
  var idleMedia: Int64 {
    switch transport {
    case .idle(let media), .stalled(let media): media
    case .running: contentEnd
    }
  }
}
