// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// The device's stream as the engine knows it: what has been prepared, what time it is for, how
/// loud it is, and whether it is moving.
///
/// A pure state machine: it knows no server, no clock and no thread. Its renderer calls it with the
/// output's lock held, with stream frames that the output has told.
///
/// Two frame counts meet here. *Stream frames* count what the device plays since its stream was
/// opened. *Timeline frames* count media time, `rate` of them a second: as many as the device plays
/// at the natural speed, half as many at the double. Content lies in the ring at
/// `timeline frame + offset`; starting again after a pause moves the offset, not the content.
struct RenderLine: ~Copyable {
  var ring: FrameRing
  var gains = LineGains()
  /// Gains of the items.
  var contentGains = ContentGains()
  /// Volumes of the timeline.
  var volumes: VolumeCurves
  /// Media time runs on where there is no content.
  var runsOn = false
  /// Frames of the device in a second.
  let sampleRate: Int
  var map: RenderMap
  var transport = Transport.idle(media: 0)
  /// Stream frame of timeline frame 0 of the present content.
  var offset: StreamFrame = 0
  /// Up to where the output has been given frames.
  var written: StreamFrame = 0
  var content = LineContent()
  /// Frames at the ring's end in which the content dies away: media time holds at its end meanwhile.
  var tail = 0
  /// The next start is in the middle of a sound, and fades in.
  var fadesInNext = false
  private var crossfade: Crossfade?

  init(channelCount: Int, capacity: Int, rate: Int) {
    ring = FrameRing(channelCount: channelCount, capacity: capacity)
    map = RenderMap(media: 0, rate: rate)
    sampleRate = rate
    volumes = VolumeCurves()
  }

  /// An empty line of another format, for a device of `sampleRate`, in the place of `old`: media time
  /// holds at timeline frame `media`, of this line's rate, until there is content again.
  ///
  /// Of the old device stream frame `end` would have been next.
  init(
    channelCount: Int, capacity: Int, rate: Int, sampleRate: Int,
    replacing old: borrowing RenderLine, from end: StreamFrame, at media: TimelineFrame
  ) {
    ring = FrameRing(channelCount: channelCount, capacity: capacity)
    map = RenderMap(goingOnFrom: old.map, at: media, rate: rate)
    self.sampleRate = sampleRate
    gains = LineGains(
      continuing: old.gains, from: old.transport == .running ? end : nil,
      rate: (old: old.sampleRate, new: sampleRate))
    content = LineContent(generation: old.generation + 1)
    volumes = VolumeCurves(old.volumes.curve)
    runsOn = old.runsOn
    offset = StreamFrame(-media.number)
    switch old.transport {
    case .idle: transport = .idle(media: media)
    case .running, .stalled:
      transport = .stalled(media: media)
      fadesInNext = true
    }
  }

  // MARK: Content

  /// Gives the empty ring's content, which is to come, another offset.
  mutating func moveContent(to offset: StreamFrame) {
    contentGains.shift(by: offset - self.offset)
    self.offset = offset
  }

  /// Number of the present content: what is prepared for another one is not taken.
  var generation: Int { content.generation }

  /// True where no more content will come after what is in the ring.
  var isFinished: Bool { content.isFinished }

  /// Says that the content ends here, or that it goes on after all.
  mutating func finish(_ isFinished: Bool) { content.finish(isFinished) }

  /// That nothing is left of finished content is still to be told: nobody has heard its end.
  mutating func holdAtEnd() { content.stop(isBehindLast: true) }

  /// Content up to `frame` is with the output.
  mutating func wrote(upTo frame: StreamFrame) { written = frame }

  // MARK: Splices; `k` is the first stream frame that can still be replaced

  /// From `k` on `staged` is heard, timeline frame `media` of `staged.rate` first, after a crossfade
  /// of `fade` frames from what would have been heard.
  ///
  /// `isJump` says that it is another timeline, even if its frames bear the same numbers, `reach` by
  /// how many frames it can be delayed.
  ///
  /// - Returns: false, and nothing changed, where there is no room for it.
  @discardableResult
  mutating func replace(
    from k: StreamFrame, with staged: StagedFrames, fade: Int, isJump: Bool = false, reach: Int = 0
  ) -> Bool {
    // What lies before `k` is still heard: nothing of it goes while it runs.
    let kept = transport == .running ? min(max(0, k - ring.begin), Int64(ring.count)) : 0
    guard Int(kept) + staged.count <= ring.capacity else { return false }
    let wasOver = (tail > 0 || isFinished) && k > endOfContent
    content.replace()
    switch transport {
    case .running:
      // The time at which the content ended held from there on.
      if wasOver { _ = holdMap(at: k) }
      tail = 0
      let faded = min(fade, staged.count)
      let copied = faded + reach
      let old = faded > 0 ? oldFrames(from: k, frames: copied) : nil
      begin(staged, at: k, offset: k - staged.media.number)
      if isJump || wasOver || staged.rate != rate || staged.isReversed != isReversed
        || staged.media != map.media(at: k)
      {
        volumes.jump(at: k)
        map.add(
          stream: k, media: staged.media, rate: staged.rate, isRunning: true, isJump: isJump,
          isReversed: staged.isReversed)
      }
      if let old {
        crossfade = Crossfade(
          from: old, to: staged, at: mix(from: k, frames: faded, isUnity: old.isUnity), from: k,
          length: faded, generation: generation)
      }
      ring.truncate(at: k)
      // Past its end, or before its begin: a later start may have been told a later `k`.
      if ring.end != k { ring.clear(at: k) }
      ring.append(staged.samples, frames: staged.count)
      offset = k - staged.media.number
      // What lies before `k` may not be with the output yet.
      written = min(written, k)
    case .idle, .stalled:
      tail = 0
      ring.clear(at: max(ring.end, k))
      offset = ring.end - staged.media.number
      contentGains.removeAll()
      begin(staged, at: ring.end, offset: offset)
      ring.append(staged.samples, frames: staged.count)
      fadesInNext = staged.fadesIn
      hold(at: staged.media, rate: staged.rate, isReversed: staged.isReversed)
    }
    return true
  }

  /// Has the newest splice begin at `k` only; false, and nothing changed, where it cannot.
  mutating func delaySplice(to k: StreamFrame) -> Bool {
    // A line that has been changed since has another generation, or has stopped.
    guard let crossfade, crossfade.generation == generation, crossfade.begin == map.last.stream,
      transport == .running, crossfade.delay(by: k - crossfade.begin, in: &ring)
    else { return false }
    offset += k - crossfade.begin
    contentGains.shift(by: k - crossfade.begin, from: crossfade.begin)
    map.delayLast(to: k)
    (self.crossfade, written) = (nil, k)
    return true
  }

  mutating func forgetCrossfade() { crossfade = nil }

  /// Media time passes at another rate, or in another direction, from here on: `media` is what is
  /// held, as a frame of that.
  ///
  /// Nothing is heard any more, and what the line holds is forgotten.
  mutating func hold(asFrame media: TimelineFrame, rate: Int, isReversed: Bool) {
    let old = self.rate
    tail = 0
    map.hold(asFrame: media, rate: rate, isReversed: isReversed)
    stand(at: media)
    ring.clear(at: ring.end)
    contentGains.renumber(
      after: ring.end, offset: offset, to: ring.end - media.number, rate: rate,
      isReversed: isReversed
    ) {
      RationalTime($0, rate: old).timelineFrame(at: rate)
    }
    offset = ring.end - media.number
  }

  /// Puts `staged` in the place of what follows its first frame, while nothing is heard; the
  /// playhead stays where it is held.
  ///
  /// - Returns: false, and nothing changed, where `staged` does not continue what is kept.
  mutating func replaceHeld(with staged: StagedFrames) -> Bool {
    let late = max(0, idleMedia - staged.media)
    guard late == 0 || late < staged.count else { return false }
    dropTail()
    // What has been passed over was no beginning of it: another pace was tried for good.
    forgetHistory()
    if ring.count == 0 { moveContent(to: ring.end - (staged.media + late).number) }
    let frame = stream(of: staged.media + late)
    // What has been passed needs no room: behind a jump over 3 s of a gap another pace was tried for good.
    let begin = max(ring.begin, min(frame, stream(of: idleMedia)))
    guard frame <= ring.end,
      Int(max(0, frame - begin)) + staged.count - Int(late) <= ring.capacity
    else { return false }
    ring.discard(before: begin)
    content.replace()
    staged.skip(Int(late))
    // As in `cut`: what was enqueued first may lie behind a gap, which is not held.
    if frame < ring.begin { ring.clear(at: frame) } else { ring.truncate(at: frame) }
    self.begin(staged, at: frame, offset: frame - staged.media.number)
    written = min(written, frame)
    ring.append(staged.samples, frames: staged.count)
    // What goes on where a flush has faded out comes up from silence.
    if staged.fadesIn, frame == stream(of: idleMedia) { fadesInNext = true }
    return true
  }

  /// Forgets content from timeline frame `media` on.
  ///
  /// - Returns: false, and nothing changed, where `media` is heard before `k`.
  mutating func cut(fromMedia media: TimelineFrame, replaceableFrom k: StreamFrame) -> Bool {
    let frame = stream(of: media)
    if transport == .running && frame < k { return false }
    // At or after the end there is nothing to cut, and what is being converted may go on.
    if frame >= endOfContent { return true }
    tail = 0
    content.replace()
    // What was enqueued first after a flush may lie behind a gap, which is not held.
    if frame < ring.begin { ring.clear(at: frame) } else { ring.truncate(at: frame) }
    written = min(written, ring.end)
    if transport != .running { forgetHistory() }
    return true
  }

  /// Lets the next content lie anywhere, once nothing but history is left of the present one: a
  /// way to it through silence might not fit the ring.
  mutating func forgetHistory() {
    guard ring.end <= stream(of: idleMedia) else { return }
    ring.clear(at: ring.end)
    moveContent(to: ring.end - idleMedia.number)
  }

  /// Forgets content before the time that is held, which has been jumped over.
  ///
  /// Otherwise what comes next found no room for ever: of 5 s one waited for room when time went to 20 s.
  ///
  /// - Returns: whether there was any.
  mutating func forgetPassed() -> Bool {
    guard transport != .running else { return false }
    let (frame, count) = (stream(of: idleMedia), ring.count)
    ring.discard(before: min(frame, ring.end))
    forgetHistory()
    return ring.count < count
  }

  /// From `k` on nothing of the present content is heard, but `fade` frames going out; media time
  /// holds until there is new content.
  ///
  /// - Returns: the stream frame after which nothing is heard; the content is there until `drop()`.
  mutating func fadeOutForGood(at k: StreamFrame, fade: Int) -> StreamFrame {
    guard case .running = transport else { return k }
    let media = holdMap(at: k)
    gains.fadeOut(at: k, length: fade)
    transport = .stalled(media: media)
    written = k
    return k + fade
  }

  /// From `k` on nothing of the present content is heard, but `fade` frames going out; media time runs on.
  mutating func fadeToSilence(at k: StreamFrame, fade: Int) {
    content.advance()
    let frames = Int(max(0, min(Int64(fade), ring.end - k)))
    if frames > 0 {
      let going = StagedFrames(copying: ring, from: k, frames: frames)
      let factors = (0..<frames).map { 1 - (Float($0) + 0.5) / Float(fade) }
      going.multiply(by: factors[...])
      ring.overwrite(going.samples, at: k, frames: frames)
    }
    ring.truncate(at: k + frames)
    written = min(written, k)
  }

  /// Forgets all content.
  mutating func drop() {
    content.replace()
    fadesInNext = false
    let media = idleMedia
    tail = 0
    ring.clear(at: ring.end)
    contentGains.removeAll()
    offset = ring.end - media.number
  }
}
