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
    // A player's decoder makes what it needs again.
    guard paceChanged == nil else { return (buffer, []) }
    kept.isFinished = false
    let added = kept.append(buffer)
    return (kept.isConverting ? nil : added, kept.forget(before: playhead - Self.history))
  }

  /// What is made anew begins so much before the playhead: a filter's first frames are not heard.
  private static let history = RationalTime(frames: 1, rate: 10)

  /// Media time of what is heard, or held.
  private var playhead: RationalTime {
    guard line.transport == .running else {
      return RationalTime(line.idleMedia, rate: line.rate)
    }
    // A start that is on its way is heard next.
    let heard = max(
      min(output.heardFrame(atHostTime: HostTime.now()), output.knownHeard), line.map.last.stream)
    let piece = line.map.last
    return RationalTime(piece.media(at: heard), rate: piece.rate)
  }

  /// With the output's lock held.
  func rerender() {
    guard !kept.isConverting else { return }
    let time = max(.zero, playhead - Self.history)
    // A second, as it will be heard; the rest follows it as it finds room.
    let length = RationalTime(frames: kept.share * Int64(pace.rate * 1_000), rate: 1_000)
    let (due, isAll) = kept.begin(at: time, length: length)
    let isEnd = isAll && kept.isFinished
    let generation = line.generation
    conversionQueue.async { [weak self] in
      guard let self else { return }
      let content = stage(due, from: time, isFinished: isEnd, fadesIn: true)
      (content.isAll, content.generation) = (isAll, generation)
      replace(from: time, with: content, fade: .standard) { [weak self] outcome, _ in
        guard let self else { return }
        if outcome == .done { kept.succeed() } else { kept.abandon() }
        conversionQueue.async { self.goOn() }
      }
    }
  }

  /// Converts what waited meanwhile.
  private func goOn() {
    while let (buffer, target) = nextWaiting() { convert(buffer, into: target) }
    output.withLock {
      if kept.isFinished {
        let target = LineTarget(renderer: self, generation: line.generation, conversion: conversion)
        conversionQueue.async { target.conversion.finish(into: target) }
      }
      // It may have changed again, or the line may have moved on too far meanwhile.
      adoptPace()
      if isPaceStale || kept.isOutdated { rerender() }
      signalIfReady()
    }
  }

  private func nextWaiting() -> (SampleBuffer, LineTarget)? {
    output.withLock {
      kept.next().map {
        holdsBack = true
        return ($0, LineTarget(renderer: self, generation: line.generation, conversion: conversion))
      }
    }
  }
}
