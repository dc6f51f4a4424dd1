// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// The content that plays, and what is to take its place: a pure state machine.
///
/// It knows no renderer, clock, thread or file. Whoever drives it carries out the actions that a
/// transition returns, in their order. One splice is on its way at a time, and one is prepared beside it
/// or before it: the states are those of `flight`, with or without a `preparedSplice`, with or without
/// content that is `playing`. `docs/design/0024-serializer.md` says why.
struct SerializerState {
  /// The content that plays; nil where nothing does.
  var playing: DecodeAhead?
  /// The content that is decoded until there is enough of it for a splice; nil for none.
  var preparedSplice: PreparedSplice?
  /// The splice that the renderer has been given.
  var flight = Flight.grounded
  /// Number of the newest start that has been taken up.
  private(set) var generation = 0
  /// The item that is heard next whatever happens, as its frames are out of reach; nil for none.
  var unavoidableNext: Occurrence?
  var timeline = SerializedTimeline()
  /// The reason why the renderer plays nothing any more; nil while it does.
  var failure: (any Error)?

  /// The splice that the renderer has been given and has not answered for; nil for none.
  var spliceInFlight: PreparedSplice? {
    if case .splicing(let splice, _) = flight { splice } else { nil }
  }

  var isSplicing: Bool {
    if case .splicing = flight { true } else { false }
  }

  /// True while what the renderer has answered is being carried out, and nothing has stopped meanwhile.
  var isLanding: Bool {
    if case .landing = flight { true } else { false }
  }

  /// True while a splice is being prepared, or is on its way to the renderer.
  var isChanging: Bool { preparedSplice != nil || isSplicing }

  /// True while a new timeline is being prepared, not the continuation of the present one.
  var isStarting: Bool { preparedSplice.map { $0.joint == nil } ?? false }

  // MARK: Starts

  /// Takes up the start with the number `new`.
  ///
  /// - Returns: false, and nothing is done, where that is the present one.
  mutating func takeUp(_ new: Int) -> Bool {
    guard new != generation else { return false }
    generation = new
    unavoidableNext = nil
    flight.then.follows = false
    return true
  }

  /// Prepares `splice`, in the place of what was prepared before.
  mutating func prepare(_ splice: PreparedSplice) -> [Action] {
    preparedSplice = splice
    return [.letGoOfUnwanted]
  }

  /// Nothing plays any more, and nothing is to.
  ///
  /// What the renderer answers for a splice that is on its way is of no use then.
  mutating func stop() -> [Action] {
    (playing, preparedSplice, unavoidableNext) = (nil, nil, nil)
    flight = .grounded
    timeline.clear()
    return [.letGoOfUnwanted]
  }

  // MARK: Decoding

  /// Tells whether the content with a number is wanted, and waits for a step.
  func awaitsStep(of number: Int) -> Bool {
    func awaits(_ content: DecodeAhead?) -> Bool {
      content.map { $0.number == number && $0.isDecoding } ?? false
    }
    return awaits(playing) || awaits(preparedSplice?.content) || awaits(spliceInFlight?.content)
  }

  /// The overlaps that the content with a number has decided on; nil where it is not wanted any more.
  func overlaps(of number: Int) -> DecodeAhead.Overlaps? {
    // No array: this is asked after every step.
    if let playing, playing.number == number { return playing.overlaps }
    if let content = preparedSplice?.content, content.number == number { return content.overlaps }
    if let content = spliceInFlight?.content, content.number == number { return content.overlaps }
    return nil
  }

  /// Changes the content with a number, where it is still wanted.
  mutating func update(_ number: Int, _ body: (inout DecodeAhead) -> Void) -> [Action] {
    if preparedSplice?.content.number == number {
      body(&preparedSplice!.content)
      return [.spliceIfPrepared]
    }
    if case .splicing(var splice, let then) = flight, splice.content.number == number {
      flight = .grounded
      body(&splice.content)
      flight = .splicing(splice, then: then)
    } else if playing?.number == number {
      body(&playing!)
    }
    return []
  }

  /// The next step for what is prepared, about `duration` of it; nil while there is enough.
  mutating func nextPreparingStep(duration: RationalTime) -> DecodeStep? {
    preparedSplice?.isPrepared == false ? preparedSplice?.content.nextStep(duration: duration) : nil
  }

  /// The next step for what plays, about `duration` of it; nil while so much of it waits.
  mutating func nextPlayingStep(duration: RationalTime) -> DecodeStep? {
    guard let waiting = playing?.waiting, waiting < duration else { return nil }
    return playing?.nextStep(duration: duration)
  }

  /// The little that there is of what is prepared is enough: what follows takes its time.
  mutating func beginShort() { preparedSplice?.isShort = true }

  /// Has no less than `preroll` prepared of what begins; zero changes nothing.
  mutating func expect(_ preroll: RationalTime) { preparedSplice?.expect(preroll) }

  /// Takes note of it where everything has been handed over, and nothing is to follow.
  ///
  /// - Returns: whether that is so, and was not before.
  mutating func finishIfExhausted() -> Bool {
    guard let playing, playing.isExhausted, playing.pieces.isEmpty, !isChanging,
      !timeline.hasFinishedEnqueuing
    else { return false }
    timeline.hasFinishedEnqueuing = true
    return true
  }

  /// The content that has come to its end once all of it is heard; nil where something else follows.
  var ending: DecodeAhead? {
    timeline.hasFinishedEnqueuing && !isChanging ? playing : nil
  }

  /// All of it has been heard.
  mutating func end() {
    playing = nil
    timeline.spans = []
  }

  // MARK: What is heard

  /// The position that the clock says, or that it will say whatever happens.
  func heard(_ hearing: @autoclosure () -> HeardPosition?) -> HeardPosition? {
    guard let unavoidableNext else { return hearing() }
    return timeline.position(ofNext: unavoidableNext, generation: timeline.generation)
  }

  /// `occurrence` is heard now.
  mutating func hear(_ occurrence: Occurrence) {
    playing?.forgetBegun(before: occurrence)
    if unavoidableNext == occurrence { unavoidableNext = nil }
  }
}
