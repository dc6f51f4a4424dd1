// SPDX-License-Identifier: Apache-2.0

import MediaTime
import SampleBuffers

/// A renderer's line as the target of converted frames: one append is one short hold of the
/// output's lock, and frames of an older generation drop out.
struct LineTarget: ConvertedFramesTarget {
  let renderer: AudioRenderer
  let generation: Int
  let conversion: ConversionChain

  func makeRoom(from media: TimelineFrame?, frames: Int) -> Bool {
    renderer.output.withLock {
      !isPresent || renderer.makeRoom(from: media, frames: frames, generation)
    }
  }

  func append(_ samples: UnsafeBufferPointer<Float>, media: TimelineFrame, isTail: Bool) -> Int {
    renderer.output.withLock {
      isPresent
        ? renderer.append(samples, media: media, isTail: isTail, generation)
        : samples.count / renderer.format.channelCount
    }
  }

  func pendingBuffers(_ count: Int) {
    renderer.output.withLock {
      if isPresent { renderer.setPendingBuffers(count, generation) }
    }
  }

  func finished() {
    renderer.output.withLock {
      if isPresent { renderer.finished(generation) }
    }
  }

  /// False once an empty line has taken up another pace, in which its frames have other numbers.
  private var isPresent: Bool { renderer.conversion === conversion }

  /// The target of the line's present conversion, where it has no more than taken up another pace since
  /// this one was made; with the output's lock held.
  var successor: LineTarget? {
    renderer.assertLocked()
    guard !isPresent, generation == renderer.line.generation else { return nil }
    return LineTarget(
      renderer: renderer, generation: generation, conversion: renderer.conversion)
  }
}

extension AudioRenderer {
  /// Converts `buffer` into the line, again where that has taken up another pace meanwhile.
  func convert(_ buffer: SampleBuffer, into target: LineTarget) {
    var next: LineTarget? = target
    while let target = next {
      target.conversion.enqueue(buffer, into: target)
      next = output.withLock {
        let successor = target.successor
        if successor != nil { intake.converts() }
        return successor
      }
    }
  }
}

extension AudioRenderer {
  /// Converts what is held back on the way into `target`, as nothing follows; again where the line has taken up another
  /// pace meanwhile.
  ///
  /// `isMeant`, called with the output's lock held, says whether that has not been taken back.
  func finish(into target: LineTarget, if isMeant: () -> Bool = { true }) {
    var next: LineTarget? = target
    while let target = next {
      target.conversion.finish(into: target) { output.withLock(isMeant) }
      next = output.withLock { isMeant() ? target.successor : nil }
    }
  }
}

// With the output's lock held.
extension AudioRenderer {
  func makeRoom(from media: TimelineFrame?, frames: Int, _ generation: Int) -> Bool {
    assertLocked()
    // Stale content needs no room: it is dropped by `append`.
    guard generation == line.generation, !intake.awaitsFlush else { return true }
    endTail()
    forgetHeard()
    func hasRoom() -> Bool {
      media.map { line.pad(to: $0, leaving: frames) } ?? (line.room >= frames)
    }
    let isRoom = hasRoom() || line.forgetPassed() && hasRoom()
    if !isRoom { intake.refused(room: line.room) }
    return isRoom
  }

  /// - Returns: the frames taken, or of no more use.
  func append(
    _ samples: UnsafeBufferPointer<Float>, media: TimelineFrame, isTail: Bool, _ generation: Int
  ) -> Int {
    assertLocked()
    let count = samples.count / format.channelCount
    guard generation == line.generation, !intake.awaitsFlush, let base = samples.baseAddress else {
      return count
    }
    takeBackEnd()
    if !isTail { endTail() }
    // Where the output has all there was, it has room for more; otherwise it asks in its own time,
    // two times a second, rather than be given a few frames with every buffer.
    let isShort = line.written == line.ring.end
    let own = line.stream(of: media)
    let begin = line.ring.count > 0 ? max(line.ring.end, own) : own
    let isSilent = isRunningOn && line.written > line.ring.end
    forgetHeard()
    let hadTail = line.tail > 0
    let taken =
      isTail
      ? line.appendTail(base, media: media, count: count)
      : line.append(base, media: media, count: count)
    if line.tail > 0, !hadTail { publishMap() }
    if taken < count { intake.refused(room: line.room) }
    if isSilent { fillIn(from: begin) }
    contentGrew(outputIsShort: isShort)
    return taken
  }

  /// Takes an end back: what was said to end goes on after all.
  func takeBackEnd() {
    assertLocked()
    guard line.isFinished else { return }
    line.finish(false)
    guard given.hasPadded else { return }
    given.hasPadded = false
    if line.transport == .running { output.start() }
  }

  func setPendingBuffers(_ count: Int, _ generation: Int) {
    assertLocked()
    guard generation == line.generation else { return }
    forgetHeard()
    // Whoever looked before this found the renderer busy with them, or not yet waiting for room.
    if intake.setPending(count, room: line.room) { signalIfReady() }
    output.traits.puller?.contentChanged()
  }

  func finished(_ generation: Int) {
    assertLocked()
    guard generation == line.generation, !intake.awaitsFlush else { return }
    line.finish(true)
    intake.finished()
    if line.runsOn, line.transport == .running, line.written > line.ring.end {
      performLocked(.fillIn)
    }
    contentGrew(outputIsShort: true)
    output.traits.puller?.contentChanged()
    // What is being made anew is still to be heard, and its end is told behind that.
    if lead == 0, line.transport != .running, !intake.unheardBuffers.isConverting {
      // Nothing is left to be heard: the end is now.
      if case .stalled = line.transport { line.end() }
      send(.drained)
    }
  }

  /// The content goes on, which had been said to end: at once where its tail is being heard.
  private func endTail() {
    guard line.tail > 0 else { return }
    if line.transport == .running, output.reading.read > line.endOfContent {
      line.stall()
      callbacks.timelineChanged?()
    } else {
      line.dropTail()
    }
    publishMap()
  }

  private func contentGrew(outputIsShort: Bool) {
    starts.condition.startsShort = false
    switch line.transport {
    case .running where starts.condition.prerollFrames > 0:
      // It went on before it could be held.
      forgetHold()
      if outputIsShort, output.isInTime(line.written) { topUp() }
    case .running where outputIsShort: if output.isInTime(line.written) { topUp() }
    case .running: break
    case .stalled where isPrimed: performLocked(.resume)
    case .stalled: limitWait()
    case .idle: break
    }
    if let primed = callbacks.primed, isPrimed {
      callbacks.primed = nil
      primed()
    }
  }

  /// Frames ahead of what is heard.
  var lead: Int64 { line.lead(past: output.heardFrame) }

  var isReady: Bool {
    // A device's buffer that has grown since the ring was made is not filled twice.
    let spare = Int64(line.ring.capacity - Self.room(at: format.sampleRate))
    return health.status != .failed && !intake.awaitsFlush && intake.pendingBuffers == 0
      && !intake.unheardBuffers.isConverting
      && lead < max(min(2 * output.traits.targetLength, spare), starts.condition.prerollFrames)
  }

  var isPrimed: Bool {
    if isPaceStale || starts.condition.awaitsOther { return false }
    let traits = output.traits
    let enough = min(traits.targetLength, traits.startLength)
    return line.isFinished || lead >= starts.condition.frames(enough: enough)
  }
}
