// SPDX-License-Identifier: Apache-2.0

import Attacca
import MediaTime
@testable import Rendering

/// What a `RenderLine` of one channel must sound like, without fades.
///
/// Content is kept by timeline frame in a dictionary. Every operation takes place at `position`, the next frame that the device takes.
struct LineModel {
  private(set) var transport = RenderLine.Transport.idle(media: 0)
  private(set) var position: StreamFrame = 0
  private(set) var contentEnd: TimelineFrame = 0
  private var contentBegin: TimelineFrame = 0
  private var content: [TimelineFrame: Float] = [:]
  /// While running, timeline frame `anchor.media` is heard at stream frame `anchor.stream`.
  private var anchor = (stream: StreamFrame(0), media: TimelineFrame(0))
  private var gain: Float = 1

  /// The stream frame at which the content ends, while running.
  var streamEnd: StreamFrame { anchor.stream + (contentEnd - anchor.media) }

  /// The timeline frame that is next.
  var media: TimelineFrame {
    switch transport {
    case .idle(let media), .stalled(let media): media
    case .running: media(at: position)
    }
  }

  private func media(at frame: StreamFrame) -> TimelineFrame {
    anchor.media + (frame - anchor.stream)
  }

  /// The sound of the frames from `position` up to `frame`, while running.
  func sound(upTo frame: StreamFrame) -> [Float] {
    (position..<frame).map { (content[media(at: $0)] ?? 0) * gain }
  }

  mutating func play(upTo frame: StreamFrame) {
    position = frame
    if transport == .running { forget() }
  }

  private mutating func forget() {
    contentBegin = min(max(contentBegin, media), contentEnd)
    content = content.filter { $0.key >= contentBegin }
  }

  mutating func append(_ samples: [Float], media: TimelineFrame) {
    if contentBegin == contentEnd, transport != .running {
      (contentBegin, contentEnd) = (media, media)
    }
    for (i, sample) in samples.enumerated() where media + i >= contentEnd {
      content[media + i] = sample
    }
    contentEnd = max(contentEnd, media + samples.count)
  }

  mutating func start(at k: StreamFrame, media: TimelineFrame?) {
    if media == nil, transport == .running { return }
    anchor = (k, media ?? self.media)
    transport = .running
    if anchor.media > contentEnd { (contentBegin, contentEnd) = (anchor.media, anchor.media) }
    forget()
  }

  mutating func stop() {
    transport = .idle(media: transport == .running ? min(media, contentEnd) : media)
    if contentEnd == media { contentBegin = media }
  }

  mutating func stall() { transport = .stalled(media: media) }

  mutating func replace(_ samples: [Float], media: TimelineFrame) {
    content = [:]
    (contentBegin, contentEnd) = (media, media)
    switch transport {
    case .running: anchor = (position, media)
    case .idle: transport = .idle(media: media)
    case .stalled: transport = .stalled(media: media)
    }
    append(samples, media: media)
  }

  mutating func cut(fromMedia media: TimelineFrame) -> Bool {
    if transport == .running, media < self.media { return false }
    guard media < contentEnd else { return true }
    (contentBegin, contentEnd) = (min(contentBegin, media), media)
    if transport != .running, contentEnd <= self.media {
      (contentBegin, contentEnd) = (self.media, self.media)
    }
    content = content.filter { $0.key < contentEnd }
    return true
  }

  mutating func flush() {
    if transport == .running { transport = .stalled(media: min(media, contentEnd)) }
    content = [:]
    (contentBegin, contentEnd) = (media, media)
  }

  mutating func setVolume(_ gain: Float) { self.gain = gain }
}
