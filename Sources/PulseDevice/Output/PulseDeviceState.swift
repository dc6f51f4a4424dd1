// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// The stream that a PulseAudio output plays on, and whether it is to run.
///
/// A pure state machine: it knows no server, clock or thread. Whoever drives it, with the mainloop's lock held,
/// carries out what each event returns. Whether the stream is to run outlives the stream, as does who else wants
/// it to stand still: three facts, each of which excludes only its own kind.
struct PulseDeviceState: Hashable {
  /// Plan of when a stream is to be opened.
  var link: Reconnection
  private(set) var phase = Phase.absent
  private(set) var transport = Transport.stopped
  private(set) var interruptions: Interruptions = []

  /// A state without a stream.
  init(link: Reconnection) { self.link = link }

  // MARK: What it says

  /// True where there is a stream that is given what the line has.
  var hasDevice: Bool { phase == .held }

  var isHandingOver: Bool {
    if case .handingOver = phase { true } else { false }
  }

  /// The frames that are to be heard again once the stream has told where it stands, also where another one takes over.
  var rewind: StreamRewind? {
    switch phase {
    case .absent, .held: nil
    case .rewinding(let due): due
    case .handingOver(let due): due
    }
  }

  /// The wish that the stream runs, also where there is none.
  var isRunning: Bool { transport != .stopped }

  /// True where the server is to let the stream run, once there is something to hear.
  var isUncorkDue: Bool {
    if case .uncorkDue = transport { true } else { false }
  }

  /// True where the stream is to run, and stands still as the server's policy wants.
  var isWithheld: Bool {
    if case .withheld = transport { true } else { false }
  }

  /// True where the server has been told to let the stream run.
  var isUncorked: Bool {
    if case .running = transport { true } else { false }
  }

  /// True where the sink takes no frames.
  var isSuspended: Bool { interruptions.contains(.suspension) }

  /// True where the stream takes what it is given, at its time.
  var isPlaying: Bool { hasDevice && isUncorked && !isSuspended }

  /// Host time at which the stream last began to run; nil where it has not since.
  var uncorked: UInt64? {
    if case .running(let since, _) = transport { since } else { nil }
  }

  /// The last frame that is to be heard; nil where there is none.
  var lastFrame: StreamFrame? {
    switch transport {
    case .stopped: nil
    case .uncorkDue(let end), .withheld(let end), .running(_, let end): end
    }
  }

  // MARK: Running

  /// The action that follows a wish to run.
  enum Start: Hashable {
    case none
    /// The stream runs, and the end that it was to stop at is one no more.
    case goOn
    /// The stream is to run once it has something to hear.
    case begin(learnsClock: Bool)
  }

  /// The stream is to run, without an end.
  mutating func start() -> Start {
    let wasStopping = lastFrame != nil
    switch transport {
    case .stopped:
      transport = .uncorkDue(until: nil)
      return .begin(learnsClock: hasDevice)
    case .uncorkDue: transport = .uncorkDue(until: nil)
    case .withheld: transport = .withheld(until: nil)
    case .running(let since, _): transport = .running(since: since, until: nil)
    }
    return wasStopping ? .goOn : .none
  }

  /// The action that follows a wish to stop.
  enum Stop: Hashable {
    case none
    /// The stream is corked once its end has been heard.
    case awaitEnd
    /// The end will not be heard: `endUnheard` is due.
    case unheard
  }

  /// The stream is to stop once `frame` has been heard: the end of media where it `drains`, for which an interruption
  /// is waited for, and else of a fade.
  mutating func stop(after frame: StreamFrame, drains: Bool) -> Stop {
    switch transport {
    case .stopped: return .none
    case .uncorkDue: transport = .uncorkDue(until: frame)
    case .withheld: transport = .withheld(until: frame)
    case .running(let since, _): transport = .running(since: since, until: frame)
    }
    guard hasDevice else { return .unheard }
    guard drains else { return interruptions.isEmpty ? .awaitEnd : .unheard }
    return isSuspended || isWithheld ? .none : .awaitEnd
  }

  /// The end will not be heard: there is no device, or it stands still.
  ///
  /// - Returns: the end, with which the stream has stopped; nil where it was to have none.
  mutating func endUnheard() -> StreamFrame? {
    guard let end = lastFrame else { return nil }
    transport = .stopped
    return end
  }

  /// The end has been heard, or nothing will be any more.
  mutating func stopNow() { transport = .stopped }

  /// The server has been told to let the stream run, at a host time.
  mutating func uncorked(at hostTime: UInt64) {
    guard hasDevice, isRunning else { return }
    transport = .running(since: hostTime, until: lastFrame)
  }

  /// The action that follows a wait.
  enum Wake: Hashable {
    /// Nothing is waited for any more.
    case rest
    /// Nothing has been heard of the stream yet, whose end is waited for.
    case awaitClock
    /// The end is waited for.
    case awaitEnd(StreamFrame)
    /// Reports are asked for as `ReportSchedule` says.
    case report
  }

  /// A wait is over, behind which the stream was let run if it was to be; nil where nothing runs.
  func wake(isClockRunning: Bool) -> Wake? {
    guard isRunning, hasDevice else { return nil }
    guard let end = lastFrame else { return .report }
    // The sink wakes it again that takes frames again.
    if isSuspended { return .rest }
    return isClockRunning ? .awaitEnd(end) : .awaitClock
  }

  // MARK: Interruptions

  /// The action that follows a sink that stops taking frames, or takes them again.
  enum Suspension: Hashable {
    case none
    /// The frames left of an end will not be heard, where it `endsUnheard`.
    case begins(endsUnheard: Bool)
    case ends(learnsClock: Bool)
  }

  /// The sink takes frames no more, or takes them again.
  mutating func suspended(_ isSuspended: Bool) -> Suspension {
    guard isSuspended != interruptions.contains(.suspension) else { return .none }
    if isSuspended {
      interruptions.insert(.suspension)
      return .begins(endsUnheard: lastFrame != nil)
    }
    interruptions.remove(.suspension)
    return .ends(learnsClock: isRunning)
  }

  /// The action that follows the server's wish to have the stream corked, or not any more.
  enum Policy: Hashable {
    case none
    /// The frames that have been played into the mute are to be heard again.
    case holds
    /// A stream that was withheld goes on, where it `goesOn` at once: it is to go back to where it stands. Nobody
    /// has paused it.
    case ends(goesOn: Bool)
  }

  /// The server wants the stream to be corked, or not any more.
  mutating func corkRequested(_ cork: Bool) -> Policy {
    guard cork != interruptions.contains(.policy) else { return .none }
    if cork {
      interruptions.insert(.policy)
      // The next frames would have it run.
      if phase != .absent, isUncorkDue { transport = .withheld(until: lastFrame) }
      return .holds
    }
    interruptions.remove(.policy)
    guard isWithheld else { return .ends(goesOn: false) }
    transport = .uncorkDue(until: lastFrame)
    return .ends(goesOn: hasDevice)
  }

  // MARK: A stream that goes back

  /// The action that follows a wish to hear frames again.
  enum Rewind: Hashable {
    /// Nothing is to be heard again: what was to follow does at once.
    case none
    /// The stream is corked and asked where it stands, and asks for the longest blocks if it is to run at once.
    case begin(deepens: Bool)
  }

  /// The frames that lie behind one are to be heard again.
  mutating func rewind(_ due: StreamRewind) -> Rewind {
    guard hasDevice, isRunning else { return .none }
    phase = .rewinding(due)
    if case .running(_, let end) = transport { transport = .running(since: nil, until: end) }
    return .begin(deepens: !interruptions.contains(.policy))
  }

  /// The server has done without frame `frame` and those behind it, before the stream was corked.
  ///
  /// - Parameters:
  ///   - frame: The first of them.
  ///   - answers: Answers until the server has told of all that it has done without.
  mutating func rewinds(from frame: StreamFrame, answers: Int) {
    switch phase {
    case .rewinding(var due):
      due.frame = min(due.frame, frame)
      phase = .rewinding(due)
    case .handingOver(var due?):
      due.frame = min(due.frame, frame)
      phase = .handingOver(due)
    case .handingOver(nil) where isUncorked:
      phase = .handingOver(StreamRewind(frame: frame, answers: answers, outcome: .none))
    case .absent, .held, .handingOver(nil): break
    }
  }

  /// The action that follows an answer where the stream stands.
  enum RewindAnswer: Hashable {
    /// A stream that hands over plays nothing again.
    case none
    /// Not all that it has done without is certain to be told.
    case askAgain
    /// The stream is given the line again; then `goOn` is due.
    case playAgain(StreamRewind)
  }

  /// The corked stream has told where it stands, or says no more.
  mutating func rewindAnswered(hasReport: Bool) -> RewindAnswer {
    guard case .rewinding(var due) = phase else { return .none }
    if hasReport, due.answers > 1 {
      due.answers -= 1
      phase = .rewinding(due)
      return .askAgain
    }
    phase = .held
    return .playAgain(due)
  }

  /// The action that follows once a stream has gone back.
  enum GoingOn: Hashable {
    /// The stream stands still.
    case none
    /// The stream is to run once there is something to hear.
    case begin
    /// The server wants the stream corked, and the stream's end will not be heard: `endUnheard` is due.
    case unheard
  }

  /// The stream has gone back: it is to run again if it was, and nobody wants it corked.
  mutating func goOn() -> GoingOn {
    guard hasDevice, isRunning else { return .none }
    guard interruptions.contains(.policy) else {
      transport = .uncorkDue(until: lastFrame)
      return .begin
    }
    transport = .withheld(until: lastFrame)
    return lastFrame == nil ? .none : .unheard
  }

  // MARK: Another stream

  /// Tells whether another stream may take over.
  ///
  /// The line has no more what is still to be heard of a pause, or before a start, or holds behind it: 126 frames
  /// of PulseAudio, and 32,969 of a PipeWire that was slow, were heard by nobody.
  ///
  /// - Parameters:
  ///   - first: The first frame that the other one can be given.
  ///   - heard: The frame before which all has been heard for certain.
  /// - Returns: false while there is something to be heard that only this one has.
  func mayHandOver(from first: StreamFrame, heard: StreamFrame) -> Bool {
    !isPlaying || heard >= first
  }

  /// The stream is corked for another one.
  mutating func handOver() {
    guard phase != .absent else { return }
    phase = .handingOver(rewind)
  }

  /// The action that follows the loss of the stream that was to take over.
  enum HandoverLoss: Hashable {
    case none
    /// The stream stands still, as it did before.
    case stay
    /// The stream is asked where it stands, and asks for the longest blocks if it is to run at once: it goes back to
    /// what it was to play again, or to there.
    case goBack(deepens: Bool)
  }

  /// The stream that was to take over is gone.
  ///
  /// - Parameter answers: Answers until the server has told of all that it has done without.
  /// - Returns: what the stream that is corked for it does.
  mutating func handoverLost(answers: Int) -> HandoverLoss {
    guard case .handingOver(let due) = phase else { return .none }
    phase = .held
    let here = StreamRewind(frame: .max, answers: answers, outcome: .none)
    if case .begin(let deepens) = rewind(due ?? here) { return .goBack(deepens: deepens) }
    guard let due else { return .stay }
    phase = .rewinding(due)
    return .goBack(deepens: false)
  }

  /// The stream has handed over, and is closed.
  ///
  /// Whether anybody wants the next one to stand still, that one tells.
  ///
  /// - Returns: what it was to play again, which the next one plays.
  mutating func left() -> StreamRewind? {
    let due = rewind
    phase = .absent
    if isRunning { transport = .uncorkDue(until: lastFrame) }
    return due
  }

  /// The stream is gone, no other takes over, and with the stream is who wanted it to stand still.
  ///
  /// - Returns: what it was to play again, and the interruptions that are over with it.
  mutating func lost() -> (again: StreamRewind?, ended: Interruptions) {
    let ended = interruptions
    interruptions = []
    return (left(), ended)
  }

  /// Nothing is to be opened any more, and the stream is let go.
  mutating func closed() {
    link.close()
    _ = left()
  }

  /// The action that follows another stream.
  struct Adoption: Hashable {
    /// The stream is to run.
    let runs: Bool
    /// Interruptions of the stream before that are none of this one's, and one of this one alone.
    let ended: Interruptions
    let began: Interruptions
  }

  /// Another stream is there, which the server wants corked if `isCorkRequested`.
  ///
  /// On one of another format nothing runs until it is started: no frame means what it did. That its sink takes no
  /// frames it tells later: one that nobody plays on may sleep until this one does.
  mutating func adopted(isSameFormat: Bool, isCorkRequested: Bool) -> Adoption {
    let before = interruptions
    phase = .held
    interruptions = isCorkRequested ? .policy : []
    transport =
      if !isRunning || !isSameFormat {
        .stopped
      } else if isCorkRequested {
        .withheld(until: lastFrame)
      } else {
        .uncorkDue(until: lastFrame)
      }
    return Adoption(
      runs: isUncorkDue, ended: before.subtracting(interruptions),
      began: interruptions.subtracting(before))
  }
}
