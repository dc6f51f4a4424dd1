// SPDX-License-Identifier: Apache-2.0

import MediaTime
import SampleBuffers

// How fast media time passes. What is in the line was made for one pace; another is heard as soon as
// that has been made anew, by whoever enqueues.
extension AudioRenderer {
  /// The algorithm by which sound is played at a rate other than 1; another one is heard within milliseconds.
  ///
  /// The corresponding property is `AVSampleBufferAudioRenderer.audioTimePitchAlgorithm`.
  public var audioTimePitchAlgorithm: AudioTimePitchAlgorithm {
    get { output.withLock { wanted.speed.algorithm } }
    set {
      output.withLock { carryOut(wanted.speed.set(algorithm: newValue)) }
    }
  }

  /// Media time is to pass at `rate`, which is not 0.
  func setRate(_ rate: Double) {
    output.withLock { carryOut(wanted.speed.set(rate: rate)) }
  }

  /// True where a player enqueues, which makes content anew for another pace; any thread.
  var isPlayers: Bool { output.withLock { callbacks.paceChanged != nil } }

  /// Seconds of media time that are to pass in a second, in whichever direction; any thread.
  package var rate: Double { output.withLock { wanted.speed.nominalRate } }

  /// `isPaceStale`; any thread.
  package var isStale: Bool { output.withLock { isPaceStale } }

  /// True where what the line holds was made for another pace, or went through other effects.
  var isPaceStale: Bool {
    assertLocked()
    return conversion.pace != wanted.speed.pace
      || conversion.setting.number != wanted.effects.setting.number
  }

  /// With the output's lock held.
  func carryOut(_ change: WantedSpeed.Change) {
    assertLocked()
    guard case .pace(let isBeyond) = change else { return }
    if isBeyond { send(.pitchFollowsRate(wanted.speed.algorithm, rate: wanted.speed.pace.rate)) }
    makeAnew()
  }

  /// Has what the line holds made anew, where that is stale; with the output's lock held.
  func makeAnew() {
    assertLocked()
    guard isPaceStale else { return }
    adoptPace()
    guard isPaceStale else { return }
    if let paceChanged = callbacks.paceChanged { paceChanged() } else { rerender() }
  }

  /// An empty line takes up another pace at once, where nothing is held back that belongs there; another
  /// direction comes with its content.
  func adoptPace() {
    assertLocked()
    guard isPaceStale, wanted.speed.pace.isReversed == line.isReversed, line.transport != .running,
      line.ring.end <= line.stream(of: line.idleMedia), intake.isAllInLine
    else { return }
    let time = RationalTime(line.idleMedia, rate: line.rate)
    replaceConversion(pace: wanted.speed.pace)
    line.reserve(capacity(for: wanted.speed.pace))
    line.hold(
      asFrame: time.timelineFrame(at: conversion.timelineRate), rate: conversion.timelineRate,
      isReversed: line.isReversed)
    publishMap()
  }

  /// `staged`, which begins at the playhead or before, takes over at once, made for another pace or
  /// direction than what is heard: at the same media time.
  func changePace(
    with staged: StagedContent, until: RationalTime?, at k: StreamFrame, fade: Int
  ) -> SpliceOutcome {
    assertLocked()
    let rate = staged.frames.rate
    let isRunning = line.transport == .running
    // What a start is to begin with, which is on its way, is what goes on.
    let k = isRunning ? begin(of: staged.frames, from: max(k, line.map.last.stream)) : k
    let piece = isRunning ? line.piece(at: k) : line.map.last
    let present =
      isRunning
      ? piece.media(at: k, rate: rate)
      : RationalTime(line.idleMedia, rate: line.rate).timelineFrame(at: rate)
    let isReversed = staged.frames.isReversed
    let media = piece.isReversed == isReversed ? present : -present
    if let until, media > until.timelineFrame(at: rate) { return .late }
    if endsBefore(k), piece.isReversed == isReversed { return takeOverBehindEnd(staged, at: k) }
    guard media >= staged.frames.media else { return .refused }
    // All of it may have been passed: where it turns round, at the very beginning, or where nothing else
    // was enqueued.
    let late = media - staged.frames.media
    guard
      late == 0 || late < staged.frames.count || staged.isAll
        || late == staged.frames.count && staged.isFinished
    else { return .refused }
    if isRunning {
      guard k <= line.ring.end else { return .refused }
      forgetHeard()
      staged.frames.skip(to: media)
      guard
        line.replace(from: k, with: staged.frames, fade: paceFade(to: staged, at: k, fade))
      else { return .refused }
    } else {
      if staged.isAll { staged.frames.skip(to: media) }
      guard staged.frames.count <= line.ring.capacity else { return .refused }
      line.hold(asFrame: media, rate: rate, isReversed: isReversed)
      guard line.replaceHeld(with: staged.frames) else { return .refused }
    }
    return install(staged)
  }

  /// The first frame from `k` on at which what is heard has come to the begin of `staged`, where that goes the same way.
  ///
  /// The clock may be ahead of what the device has taken, by 800 frames where a cycle of PipeWire came late. To refuse
  /// what begins at the playhead then had a player jump to where the clock was, or back.
  private func begin(of staged: StagedFrames, from k: StreamFrame) -> StreamFrame {
    let piece = line.piece(at: k)
    guard piece.isRunning, piece.isReversed == staged.isReversed else { return k }
    let media = RationalTime(staged.media, rate: staged.rate).timelineFrame(at: piece.rate)
    let frame = max(k, piece.stream + (media - piece.media))
    // What begins behind the clock's place, too, is of a time before a jump.
    guard frame <= output.heardFrame + 1 else { return k }
    return piece.media(at: frame, rate: staged.rate) < staged.media ? frame + 1 : frame
  }

  /// Frames of the crossfade to the same content at another pace at stream frame `k`: `fade` as a rule.
  ///
  /// Content that is made anew to follow the device's clock is half a frame off, and fades for 50 ms: the pitch
  /// bends by less than a cent, in 5 ms by six. No fade is longer than the present content: where a filter still
  /// holds back the next frames, the sound would come up from silence.
  private func paceFade(to staged: StagedContent, at k: StreamFrame, _ fade: Int) -> Int {
    let isSame =
      staged.conversion.pace.nominal == conversion.pace.nominal
      && staged.conversion.setting.number == conversion.setting.number
    return min(isSame ? format.sampleRate / 20 : fade, Int(max(0, line.ring.end - k)))
  }

  /// The timeline frame nearest to media time `time`.
  func mediaFrame(_ time: RationalTime) -> TimelineFrame {
    timelineFrame(line.isReversed ? .zero - time : time)
  }

  /// The timeline frame nearest to `time`, which runs with the timeline; what lies further than 2^60 frames away, as a time that
  /// stands for "never", is taken as 2^60.
  func timelineFrame(_ time: RationalTime) -> TimelineFrame {
    let furthest: Int64 = 1 << 60
    return TimelineFrame(min(max(time.frames(at: line.rate), -furthest), furthest))
  }
}
