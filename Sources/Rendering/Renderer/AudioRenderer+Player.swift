// SPDX-License-Identifier: Apache-2.0

package import MediaTime
import SampleBuffers

// A player's: what it asks of the line, and orders of it, each in one hold of the output's lock.
extension AudioRenderer {
  /// Tells a player what becomes of the line, with the output's lock held.
  ///
  /// - Parameters:
  ///   - observer: Called with what happens by itself, before subscribers are told.
  ///   - refill: Called when a flush has discarded content, or when it is to be made anew for another pace.
  ///   - wentOn: Called when the line goes on that waited for a preroll.
  /// - Returns: the failure of the renderer; nil where it has not failed.
  package func attachPlayer(
    observer: @escaping @Sendable (RendererEvent) -> Void, refill: @escaping @Sendable () -> Void,
    wentOn: @escaping @Sendable () -> Void
  ) -> (any Error)? {
    output.withLock {
      callbacks.observer = observer
      (callbacks.discarded, callbacks.paceChanged) = (refill, refill)
      callbacks.wentOn = wentOn
      return health.error
    }
  }

  // MARK: Of the line

  /// Frames that the device is given ahead of what it has read.
  package var targetLength: Int64 { output.traits.targetLength }

  /// True where frames are taken as fast as they are made.
  package var isPulled: Bool { output.isPulled }

  /// True where all that has been enqueued has been heard.
  package var isDry: Bool { output.withLock { lead <= 0 } }

  /// Time at which the line's content ends, by the line's own frames.
  package var contentEnd: RationalTime {
    output.withLock { RationalTime(line.contentEnd, rate: line.rate) }
  }

  /// Number of the line's content, and the direction in which media time goes, or is to go.
  package var lineContent: (generation: Int, isReversed: Bool) {
    output.withLock { (line.generation, wanted.speed.isReversed) }
  }

  /// True where what is converted again comes out as the same frames, which need no fade to what they replace.
  package var repeatsExactly: Bool {
    let history = effectReach().history
    return output.withLock { !isPaceStale && conversion.isRepeatable && history == 0 }
  }

  // MARK: To the line

  /// Announces the content of start `number`, which is being prepared: until it is there nothing else begins.
  ///
  /// Content that a pause had left was heard for 20 ms where someone played before the server had answered for a
  /// seek.
  package func expectStart(_ number: Int) {
    output.withLock {
      starts.condition.expect(number)
      output.expectSplice()
    }
  }

  /// Replaces what is heard from `time` on, as `replace` does, by the content of a player's start `number`;
  /// `isShort` for less than a start waits for, as no more can be had.
  ///
  /// `completion` is called with the output's lock held, with the line right behind the splice.
  package func splice(
    from time: RationalTime?, until: RationalTime?, continuing generation: Int?,
    with staged: StagedContent, number: Int, fade: Fade, isShort: Bool,
    completion: @escaping @Sendable (SpliceOutcome, SplicedLine) -> Void
  ) {
    staged.start = time == nil ? number : nil
    replace(
      from: time, until: until, continuing: generation, with: staged, fade: fade
    ) { [weak self] outcome, traversal in
      guard let self else { return }
      starts.condition.startsShort = isShort
      let last = RationalTime(line.map.last.media, rate: line.rate)
      completion(
        outcome, SplicedLine(traversal: traversal, generation: line.generation, begin: last))
    }
  }

  /// Has media time run from where it is held.
  package func start(fade: Fade) {
    perform(.start(at: nil, fade: fade.frames(at: format.sampleRate)))
  }

  /// Forgets all content; what is heard fades out.
  package func clear(fade: Fade) {
    output.withLock { starts.condition.forgetExpected() }
    perform(.clear(fade: fade.frames(at: format.sampleRate), isFlush: false))
  }

  /// Has content of the keys that are meant heard at `factor` from now on.
  package func setContentGain(
    _ factor: Float, where isMeant: @escaping @Sendable (ContentKey) -> Bool
  ) {
    perform(.contentGain(factor, where: isMeant))
  }

  /// Has the volume of content of the keys that are meant follow `curve` from now on; nil for 1.
  package func setContentVolume(
    _ curve: VolumeCurve?, where isMeant: @escaping @Sendable (ContentKey) -> Bool
  ) {
    perform(.contentVolume(curve, where: isMeant))
  }
}
