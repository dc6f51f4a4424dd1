// SPDX-License-Identifier: Apache-2.0

import MediaTime

// When media time runs.
extension RenderLine {
  /// State of the line: media time runs, holds, or waits for content.
  enum Transport: Equatable {
    /// Nothing is heard; timeline frame `media` is next.
    case idle(media: TimelineFrame)
    /// Content is heard as the device goes on.
    case running
    /// The device went on past the content (an underrun); `media` is next, as soon as it is there.
    case stalled(media: TimelineFrame)
  }

  /// True where a crossfade can lead to timeline frame `media`: it is there; or nothing will be, as behind the end, or
  /// where time runs on over silence.
  func leads(to media: TimelineFrame) -> Bool {
    let frame = stream(of: media)
    return isFinished || runsOn || frame >= ring.begin && frame < endOfContent
  }

  /// From `k` on media time runs from where it is held.
  mutating func start(at k: StreamFrame, fade: Int) {
    guard transport != .running else { return }
    start(at: k, media: idleMedia, fade: fade)
  }

  /// From `k` on media time runs from `media`.
  mutating func start(at k: StreamFrame, media: TimelineFrame, fade: Int) {
    // Of a tail that was heard in part the rest is not.
    if ring.begin > endOfContent { dropTail() }
    let old = transport == .running ? oldFrames(from: k, frames: fade) : nil
    let isTakenBack = map.last.stream == k && !map.last.isRunning
    let delta = k - stream(of: media)
    ring.shift(by: delta)
    contentGains.shift(by: delta)
    offset += delta
    if ring.end < k { ring.clear(at: k) }
    ring.discard(before: k)
    volumes.jump(at: k)
    if transport != .running, media == idleMedia, rate == map.last.rate {
      map.goOn(from: k, at: media, isRunning: true)
    } else {
      map.add(stream: k, media: media, rate: rate, isRunning: true)
    }
    if let old, ring.begin == k, ring.count > 0 {
      let fade = min(fade, ring.count)
      let new = StagedFrames(copying: ring, from: k, frames: fade)
      let factors = mix(from: k, frames: fade, isUnity: old.isUnity)
      if !factors.isEmpty { new.multiply(by: factors[...]) }
      new.fadeIn(from: old.frames(from: 0, frames: fade), frames: fade)
      ring.overwrite(new.samples, at: k, frames: fade)
    } else if let old, ring.count == 0 {
      // Behind the end of everything, or where time runs on over silence.
      let going = old.frames(from: 0, frames: fade)
      going.fadeOut(frames: fade)
      tail = isFinished ? ring.append(going.samples, frames: fade) : 0
      if !isFinished { ring.append(going.samples, frames: fade) }
    }
    // A line that runs keeps its gain: a fade or a volume's ramp may be under way.
    if transport != .running {
      // A pause that is taken back before it was heard leaves no dip, and what no one heard no trace.
      volumes.settle()
      gains.start(at: k, fade: fadesInNext && !isTakenBack ? fade : 0)
    }
    fadesInNext = false
    transport = .running
    written = k
  }

  /// From `k` on media time holds at what would have been heard there; `fade` frames of it are
  /// still heard, going out by the end of the content at the latest.
  ///
  /// - Returns: the stream frame after which nothing is heard.
  mutating func stop(at k: StreamFrame, fade: Int) -> StreamFrame {
    switch transport {
    case .idle: return k
    case .stalled(let media):
      transport = .idle(media: media)
      return k
    case .running:
      let media = holdMap(at: k)
      content.stop(isBehindLast: media == contentEnd)
      let faded = Int(max(0, min(Int64(fade), ring.end - k)))
      gains.fadeOut(at: k, length: faded)
      transport = .idle(media: media)
      written = k
      fadesInNext = fade > 0
      forgetHistory()
      return k + fade
    }
  }

  /// From stream frame `k` on media time holds; from the end of the content on, where that comes before.
  ///
  /// - Returns: the timeline frame at which it holds.
  mutating func holdMap(at k: StreamFrame) -> TimelineFrame {
    let frame = min(k, max(endOfContent, map.last.stream))
    let media = map.media(at: frame)
    map.add(stream: frame, media: media, rate: rate, isRunning: false)
    return media
  }

  mutating func stand(at media: TimelineFrame) {
    if case .stalled = transport {
      transport = .stalled(media: media)
    } else {
      transport = .idle(media: media)
    }
  }

  /// Media time holds at `media`, at once; nothing is heard.
  mutating func hold(at media: TimelineFrame) {
    hold(at: media, rate: rate, isReversed: isReversed)
  }

  mutating func hold(at media: TimelineFrame, rate: Int, isReversed: Bool) {
    content.endHold()
    map.hold(at: media, rate: rate, isReversed: isReversed)
    stand(at: media)
    forgetHistory()
  }

  /// Media time holds at `media` from where it holds already; what was heard before that stays known.
  mutating func holdOn(at media: TimelineFrame) {
    content.endHold()
    map.add(stream: map.last.stream, media: media, rate: rate, isRunning: false)
    stand(at: media)
    forgetHistory()
  }

  /// The device went past what it was given, up to `written`: media time holds there, and no media
  /// frame is skipped.
  ///
  /// Where it was not given the beginning of what is heard last, of a splice or behind another stall, media
  /// time holds at that.
  mutating func stall() {
    guard transport == .running else { return }
    if written > endOfContent { dropTail() }
    let end = media(of: written)
    let isBefore = written < map.last.stream && map.media(at: written) != end
    let media = isBefore ? map.last.media : end
    map.goOn(from: written, at: media, isRunning: false)
    transport = .stalled(media: media)
    gains.hold(from: written)
    fadesInNext = true
    ring.discard(before: stream(of: media))
  }

  /// The device begins anew with stream frame `k`: what it was given from there on it is given
  /// again, fading in where that is the middle of a sound.
  mutating func rewind(to k: StreamFrame, fade: Int) {
    guard transport == .running else { return }
    // Behind the end there is silence, which does not count.
    written = isFinished ? min(k, ring.end) : k
    guard k > ring.begin else { return }
    gains.fadeIn(at: k, length: fade)
  }

  /// Everything has been heard: what is enqueued from now on is heard after a start.
  mutating func end() {
    stall()
    content.endHold()
    fadesInNext = false
    if case .stalled(let media) = transport { transport = .idle(media: media) }
  }

  /// Media time is to run as soon as there is content.
  mutating func waitForContent() {
    if case .idle(let media) = transport { transport = .stalled(media: media) }
  }
}
