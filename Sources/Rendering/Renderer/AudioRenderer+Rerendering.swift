// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MediaTime
import SampleBuffers

// Makes what has been enqueued anew for another pace, from the playhead on, where no player does.
extension AudioRenderer {
  /// Keeps `buffer` for later; with the output's lock held.
  ///
  /// - Returns: what is to be converted of it now, and buffers to let go of without the lock.
  func keep(_ buffer: SampleBuffer) -> (due: SampleBuffer?, heard: [SampleBuffer]) {
    assertLocked()
    // A player's decoder makes what it needs again.
    guard callbacks.paceChanged == nil else { return (buffer, []) }
    intake.unheardBuffers.isFinished = false
    let added = intake.unheardBuffers.append(buffer)
    let before = playhead - history
    return (
      intake.unheardBuffers.isConverting ? nil : added, intake.unheardBuffers.forget(before: before)
    )
  }

  /// Time before the playhead at which making anew begins, or more where effects want that: a filter's first
  /// frames are not heard.
  private static let history = RationalTime(frames: 1, rate: 10)

  private var history: RationalTime {
    guard let known = wanted.effects.known, known.frames.history > 0 else { return Self.history }
    return Self.history + RationalTime(frames: Int64(known.frames.history), rate: line.rate)
  }

  /// Media time of what is heard, or held.
  private var playhead: RationalTime {
    guard line.transport == .running else {
      return RationalTime(line.idleMedia, rate: line.rate)
    }
    // A start that is on its way is heard next.
    let heard = max(output.certainlyHeard, line.map.last.stream)
    let piece = line.piece(at: heard)
    return RationalTime(piece.media(at: heard), rate: piece.rate)
  }

  /// With the output's lock held.
  func rerender() {
    assertLocked()
    if !intake.unheardBuffers.isConverting { rerenderAgain() }
  }

  /// The same, also where what is enqueued waits already.
  private func rerenderAgain() {
    let time = max(.zero, playhead - history)
    // A second, as it will be heard; the rest follows it as it finds room.
    let frames = intake.unheardBuffers.share * Int64(wanted.speed.pace.rate * 1_000)
    let length = RationalTime(frames: frames, rate: 1_000)
    let (due, isAll) = intake.unheardBuffers.begin(at: time, length: length)
    let isEnd = isAll && intake.unheardBuffers.isFinished
    let generation = line.generation
    conversions.queue.async { [weak self] in
      guard let self else { return }
      let content = stage(due, from: time, isFinished: isEnd, fadesIn: true)
      (content.isAll, content.generation) = (isAll, generation)
      replace(from: time, with: content, fade: .standard) { [weak self] outcome, _ in
        guard let self else { return }
        if outcome == .done {
          intake.unheardBuffers.succeed()
        } else {
          intake.unheardBuffers.abandon()
        }
        conversions.queue.async { self.goOn() }
      }
    }
  }

  /// Converts what waited meanwhile.
  private func goOn() {
    while let (buffer, target) = output.withLock({ nextWaiting() }) {
      convert(buffer, into: target)
    }
  }

  /// Returns the buffer to be converted next; nil where none waits, or all is made anew again.
  ///
  /// Being done and looking at what follows are one hold of the lock: an end that was announced in between was carried
  /// out before the content that a cut had left was made again, and nobody heard that content.
  private func nextWaiting() -> (SampleBuffer, LineTarget)? {
    assertLocked()
    // It may have changed again, or the line may have moved on too far meanwhile.
    adoptPace()
    // Before anything is made for the pace before, unless the output needs that: who pulls takes all of it at once, and
    // of 8 s at half the rate the whole was heard at the full one.
    if isPaceStale, lead == 0 || lead >= output.traits.targetLength / 2 {
      rerenderAgain()
      return nil
    }
    if let buffer = intake.unheardBuffers.next() {
      intake.converts()
      return (
        buffer, LineTarget(renderer: self, generation: line.generation, conversion: conversion)
      )
    }
    // What was overtaken leaves a cut that is not carried out, and nothing behind it is taken until it is.
    let isCut = line.content.refusedFrom != nil
    if intake.unheardBuffers.isFinished, !isCut {
      let target = LineTarget(renderer: self, generation: line.generation, conversion: conversion)
      // More may be enqueued before.
      conversions.queue.async {
        self.finish(into: target) { self.intake.unheardBuffers.isFinished }
      }
    }
    if isPaceStale || intake.unheardBuffers.isOutdated || isCut { rerender() }
    signalIfReady()
    return nil
  }
}
