// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MediaTime
import SampleBuffers

extension AudioRenderer {
  /// Told with the output's lock held what became of a splice, and the traversal of media time that
  /// began with it.
  typealias SpliceCompletion = @Sendable (_ outcome: SpliceOutcome, _ traversal: Int) -> Void

  /// Carries out `command` as soon as the output has said where it is.
  ///
  /// Any thread.
  func perform(_ command: Command) {
    output.withLock { performLocked(command) }
  }

  /// With the output's lock held.
  func performLocked(_ command: Command) {
    assertLocked()
    guard health.status != .failed else { return refuse(command) }
    guard commands.add(command) else { return }
    output.askPosition { [weak self] position in self?.answer(position) }
  }

  /// Tells whoever waits for `command` that it will not be carried out.
  func refuse(_ command: Command) {
    switch command {
    case .replace(_, _, _, let completion): completion?(.refused, line.map.last.traversal)
    case .cut(_, let completion): renderersQueue.async { completion(false) }
    case .start, .stop, .hold, .schedule, .advanceSchedule, .clear, .volume, .fadeVolume,
      .contentGain, .contentVolume, .timelineVolume, .resume, .fillIn:
      break
    }
  }

  /// With the output's lock held.
  private func answer(_ position: OutputPosition) {
    for command in commands.answered() { carryOut(command, at: position) }
    publishMap()
    topUp(isChecked: true)
    signalIfReady()
    callbacks.timelineChanged?()
  }

  private func carryOut(_ command: Command, at position: OutputPosition) {
    assertLocked()
    // Without a fade, and at joints, every frame counts: rather a block later than too late, when
    // the first frames would be lost. With a fade it is the fade's first frames, and speed counts.
    let k = command.fade > 0 ? position.replaceable : position.safe
    switch command {
    case .stop, .hold, .schedule, .replace:
      if isRunningOn { line.runUp(to: given.changeable(from: k)) }
    default: break
    }
    switch command {
    case .start(let time, let fade):
      cancelSchedule(at: position)
      start(at: given.changeable(from: position.safe), media: time.map(mediaFrame), fade: fade)
    case .resume:
      guard case .stalled = line.transport, isPrimed || startsEmpty else { return }
      run(at: given.changeable(from: position.safe), media: line.idleMedia, fade: starts.fade)
    case .fillIn: carryOutFillIn(at: given.changeable(from: k))
    case .stop(let fade):
      cancelSchedule(at: position)
      fallSilent(at: k, fade: fade)
    case .hold(let time, let fade):
      cancelSchedule(at: position)
      if line.transport == .running { fallSilent(at: k, fade: fade) }
      starts.condition.wait.end()
      line.hold(at: mediaFrame(time))
    case .schedule(let hostTime, let time, let fade):
      cancelSchedule(at: position)
      schedule(atHostTime: hostTime, media: mediaFrame(time), fade: fade, at: position)
    case .advanceSchedule(let number):
      if number == starts.scheduled?.number { advanceSchedule(at: position) }
    case .replace(let place, let staged, let fade, let completion):
      line.reserve(capacity(for: staged.conversion.pace))
      let outcome =
        if staged.format != format || (staged.generation ?? line.generation) != line.generation
          || staged.generation != nil && intake.unheardBuffers.isOutdated
        {
          // Converted for a device that has been replaced since, or of what has been discarded since, it
          // is of no use.
          SpliceOutcome.refused
        } else if let place,
          staged.frames.rate != line.rate || staged.frames.isReversed != line.isReversed
            || staged.conversion.setting.number != conversion.setting.number
        {
          changePace(with: staged, until: place.until, at: k, fade: fade)
        } else if let place {
          replace(at: place, with: staged, replaceableFrom: k, fade: fade)
        } else {
          replace(
            with: staged, at: behindStart(given.changeable(from: fade > 0 ? position.soonest : k)),
            fade: fade)
        }
      completion?(outcome, line.map.last.traversal)
    case .cut(let time, let completion):
      let generation = line.generation
      let written = line.written
      let isCut = line.cut(fromMedia: mediaFrame(time), replaceableFrom: k)
      if line.generation != generation {
        // A paused device would play silence.
        if given.hasPadded && line.transport == .running { output.start() }
        replaceConversion(pace: conversion.pace)
        intake.unheardBuffers.cut(from: time)
        if line.transport == .running && written > line.ring.end { cutOutput() }
        callbacks.discarded?()
      } else if isCut, intake.unheardBuffers.reach(beyond: time) {
        // What waits for room, or is being made anew, is all made anew without that.
        line.refuse(from: mediaFrame(time))
        intake.unheardBuffers.cut(from: time)
        rerender()
      }
      // Who is told may change the rate, which waits for others that wait for this lock.
      renderersQueue.async { completion(isCut) }
    case .clear(let fade, true) where isRunningOn:
      clearRunningOn(at: given.changeable(from: k), fade: fade)
      callbacks.discarded?()
    case .clear(let fade, let isFlush):
      let wasRunning = line.transport == .running
      // Where a start is on its way, time stands at what that was to begin with, and nothing fades out: what was to be
      // heard from just there on was, for 5 ms.
      let isBeginning = isBeginning(at: k)
      let k = wasRunning ? unbroken(max(k, line.map.last.stream)) : k
      let end = line.fadeOutForGood(at: k, fade: isBeginning ? 0 : fade)
      if wasRunning {
        given.silentFrom = end
        goSilent(from: k, end: end)
      }
      line.drop()
      forgetHold()
      intake.unheardBuffers.removeAll()
      replaceConversion(pace: conversion.pace)
      adoptPace()
      intake.awaitsFlush = false
      if isFlush { callbacks.discarded?() }
    case .volume:
      line.setVolume(
        wanted.loudness.gain, at: given.changeable(from: position.replaceable),
        length: RenderLine.volumeRamp * format.sampleRate / 1_000)
    case .contentGain(let factor, let isMeant):
      // A ramp that came too late would be a step.
      line.setContentGain(factor, at: given.changeable(from: k), where: isMeant)
    case .contentVolume(let curve, let isMeant):
      line.setContentVolume(curve, at: given.changeable(from: k), where: isMeant)
    case .timelineVolume(let curve):
      line.setTimelineVolume(curve, at: given.changeable(from: k))
    case .fadeVolume(let duration):
      // Muted it is silent throughout.
      guard !wanted.loudness.isMuted else { return }
      let frames = min(duration.frames(at: format.sampleRate), Int64(Int32.max))
      let least = RenderLine.volumeRamp * format.sampleRate / 1_000
      line.fadeVolume(
        to: wanted.loudness.volume, at: given.changeable(from: position.safe),
        length: max(Int(frames), least))
    }
  }

  /// The first frame from `k` on at which something else can be heard: not before a start that is on its way.
  ///
  /// Until then the line is silent: of a seek right behind a start 20 ms were heard by nobody, and 58 on PipeWire.
  private func behindStart(_ k: StreamFrame) -> StreamFrame {
    isBeginning(at: k) ? line.map.last.stream : k
  }

  /// Tells whether nothing is heard in front of frame `k`: a start is on its way, at it or behind it.
  private func isBeginning(at k: StreamFrame) -> Bool {
    let next = line.map.last.stream
    return line.transport == .running && next >= k && !line.map.piece(at: next - 1).isRunning
  }

  private func start(at k: StreamFrame, media: TimelineFrame?, fade: Int) {
    var k = behindStart(k)
    starts.fade = fade
    // It is about to be rendered at another pace: nothing is heard at the old one.
    guard line.transport == .running || !isPaceStale else {
      if let media { line.hold(at: media) }
      return line.waitForContent()
    }
    if let media, line.transport == .running, !line.leads(to: media) {
      fallSilent(at: k, fade: fade)
      line.holdOn(at: media)
      k = given.changeable(from: k)
    }
    // Where it runs on it waits for enough all the same.
    if let media, line.runsOn, line.transport != .running, media != line.idleMedia {
      line.hold(at: media)
    }
    if let media, media != line.idleMedia || line.transport == .running {
      run(at: k, media: media, fade: fade)
    } else if line.transport != .running {
      line.waitForContent()
      // Finished media that has been heard to its end is no content: running through nothing would
      // end it again, and what is spliced in then would fade in. Unless it was paused between its last
      // frame and its end: nobody has been told of that.
      if isPrimed && (lead > 0 || line.content.isHeldAtEnd) || startsEmpty {
        run(at: k, media: line.idleMedia, fade: fade)
      } else {
        limitWait()
      }
    }
  }

  /// Media time holds where it is; what is heard fades out.
  func fallSilent(at k: StreamFrame, fade: Int) {
    starts.condition.wait.end()
    let wasRunning = line.transport == .running
    // A start may still be on its way, as a stop may be at the next start; one at a host time may
    // be far, and is taken back.
    let isTakenBack = starts.placed == line.map.last.stream && wasRunning
    let k = isTakenBack ? max(k, given.silentFrom) : unbroken(max(k, line.map.last.stream))
    let end = line.stop(at: k, fade: fade)
    guard wasRunning else { return }
    given.silentFrom = end
    goSilent(from: k, end: end)
  }

  /// The first frame from `k` on in front of which the output has been given all, or an earlier one where it has less.
  ///
  /// With answers of 10 ms and 60 ms in the server `k` lay behind all that was written: up to 1,306 frames in front of
  /// a pause were given to nobody.
  private func unbroken(_ k: StreamFrame) -> StreamFrame {
    guard line.written < line.ring.end else { return k }
    return min(k, max(line.written, line.map.last.stream))
  }

  func run(at k: StreamFrame, media: TimelineFrame, fade: Int) {
    line.start(at: k, media: media, fade: fade)
    given.start()
    starts.condition.wait.end()
    forgetHold()
    output.start()
  }

  /// Nothing stale is heard behind the content, should no more come.
  private func cutOutput() {
    let tail = Int64(Self.tailMilliseconds * format.sampleRate / 1_000)
    let end = line.ring.end
    record(end..<end)
    output.writeSilence(end..<(end + tail))
  }

  /// Gives the output what is still heard of a stopped line, and silence behind it.
  private func goSilent(from k: StreamFrame, end: StreamFrame) {
    let tail = Int64(Self.tailMilliseconds * format.sampleRate / 1_000)
    if k < end {
      // PulseAudio goes on behind a write with what an earlier one had there, out of place: 97 frames of 2 ms before were
      // heard behind a fade, as the silence came with the next message.
      output.writeFadeOut(k..<end, silentUntil: end + tail, render: render)
    } else {
      output.writeSilence(end..<(end + tail))
    }
    record(k..<end)
    output.stop(afterFrame: end)
  }

  /// Has `staged`, another timeline, heard at once.
  ///
  /// What comes too late by up to 50 ms, as long as the longest blocks of PulseAudio's null sink,
  /// begins later.
  private func replace(with staged: StagedContent, at k: StreamFrame, fade: Int) -> SpliceOutcome {
    forgetHeard()
    let reach = format.sampleRate / 20
    guard line.replace(from: k, with: staged.frames, fade: fade, isJump: true, reach: reach)
    else { return .refused }
    forgetHold()
    return install(staged)
  }

  /// `staged` takes over at a frame of the present timeline.
  private func replace(
    at place: SplicePlace, with staged: StagedContent, replaceableFrom k: StreamFrame, fade: Int
  ) -> SpliceOutcome {
    let (from, until) = (timelineFrame(place.from), place.until.map(timelineFrame))
    guard line.transport == .running else {
      if let until, line.idleMedia > until { return .late }
      // What led there has been discarded: 73,927 frames of silence were heard before an edit.
      if place.generation ?? line.generation != line.generation, line.idleMedia < from {
        return .refused
      }
      if staged.isAll { staged.frames.skip(to: line.idleMedia) }
      guard line.replaceHeld(with: staged.frames) else { return .refused }
      return install(staged)
    }
    guard let wanted = line.map.stream(ofMedia: from) else { return .refused }
    // A start that is on its way begins no earlier.
    let frame = max(wanted, k, line.map.last.stream)
    // Where the content dies away, time holds at its end.
    let reached = line.tail > 0 ? max(wanted, min(frame, line.endOfContent)) : frame
    if let until, reached - wanted > until - from { return .late }
    if endsBefore(frame) { return takeOverBehindEnd(staged, at: frame) }
    let late = Int(reached - wanted)
    guard late == 0 || late < staged.frames.count || staged.isAll else { return .refused }
    staged.frames.skip(to: staged.frames.media + late)
    // What lies between would be silence.
    guard frame <= line.ring.end else { return .refused }
    forgetHeard()
    // Where nothing is left of the present content, the sound would come up from silence.
    let fade = min(fade, Int(line.ring.end - frame))
    guard line.replace(from: frame, with: staged.frames, fade: fade) else { return .refused }
    return install(staged)
  }

  /// Has what is enqueued from now on continue `staged`, which is in the line.
  func install(_ staged: StagedContent) -> SpliceOutcome {
    if let start = staged.start { starts.condition.arrived(start) }
    line.finish(staged.isFinished)
    // Less than a frame of the device, as the last frame of an item at another rate is: its end is told when it starts,
    // and not before it is known that it is there.
    let isEmpty = staged.isFinished && line.transport != .running && line.ring.count == 0
    if isEmpty { line.holdAtEnd() }
    line.tail = min(staged.tail, staged.frames.count)
    conversion = staged.conversion
    intake.replaceConversion(pending: staged.pendingBuffers, holdsBack: !staged.isFinished)
    given.hasPadded = false
    intake.awaitsFlush = false
    if line.transport == .running { output.start() }
    if case .stalled = line.transport, isPrimed, !isEmpty { performLocked(.resume) }
    if let scheduled = starts.scheduled { performLocked(.advanceSchedule(scheduled.number)) }
    return .done
  }

  /// Has what is enqueued from now on be converted afresh.
  func replaceConversion(pace: Pace) {
    conversion = ConversionChain(
      output: format, quality: quality, pace: pace, effects: wanted.effects.setting)
    intake.replaceConversion()
    given.hasPadded = false
  }

  /// Renders frames of the line into the output's memory.
  func render(_ target: UnsafeMutablePointer<Float>, _ frame: StreamFrame, _ count: Int) {
    line.render(from: frame, frames: count, into: target)
  }

  /// Gives the output what it has room for, once it is known not to have gone past what it has.
  ///
  /// With the output's lock held.
  func topUp(isChecked: Bool = false) {
    assertLocked()
    if starts.scheduled != nil { return holdSilence() }
    guard line.transport == .running else { return }
    let reading = output.reading
    guard reading.hasDevice else { return }
    let isAtEnd = line.isFinished && line.written == line.ring.end
    if !isChecked && !isAtEnd && reading.read > line.written {
      return output.askWhetherUnderrun()
    }
    forgetHeard()
    // A start that is placed further ahead than the output holds, on a machine that was kept for long, is given all the
    // same: nothing else tells where a write would be in time by now, and 20 s were silent, with 510 underruns told.
    let isDue = line.written == line.map.last.stream && isBeginning(at: reading.read)
    let most = (isDue ? line.written : reading.read) + output.traits.targetLength
    let end = isRunningOn ? most : min(line.ring.end, most)
    if end > line.written {
      output.write(line.written..<end, render: render)
      record(line.written..<end)
      line.wrote(upTo: end)
    }
    if line.isFinished && !given.hasPadded && line.written == line.ring.end {
      given.hasPadded = true
      goSilent(from: line.written, end: line.written)
    }
  }

  /// Makes room in the line.
  ///
  /// The clock is an estimate: what may be wanted again stays, and so does what no output was given.
  func forgetHeard() {
    assertLocked()
    let heard = output.certainlyHeard
    line.heard(min(heard, line.written))
  }

  /// With the output's lock held, or published late.
  func publishMap() {
    let hasEnd = given.hasPadded || line.tail > 0 && line.transport == .running
    publishedMap.publish(line.map, end: hasEnd ? line.endOfContent : nil)
  }
}
