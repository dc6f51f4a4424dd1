// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MediaTime

// What becomes of media time where nothing is enqueued for it, and how long a start waits for something.
extension AudioRenderer {
  /// A start waits for enough for so long, in seconds, and then begins with what there is.
  static let longestWait = 5.0

  /// Media time is to run on over silence; not where a player enqueues, which would lose what it decodes late.
  func setRunsOn(_ runsOn: Bool) {
    output.withLock {
      let runsOn = runsOn && callbacks.paceChanged == nil
      guard runsOn != line.runsOn else { return }
      line.runsOn = runsOn
      if line.isStalled {
        limitWait()
        performLocked(.resume)
      } else if line.transport == .running {
        performLocked(.fillIn)
      }
    }
  }

  // MARK: With the output's lock held

  /// Media time runs, with or without content.
  var isRunningOn: Bool {
    assertLocked()
    return line.runsOn && line.transport == .running && !line.isFinished
  }

  /// True where media time is to run now though there is nothing.
  var startsEmpty: Bool {
    assertLocked()
    return line.runsOn && !line.isFinished && !isPaceStale && !starts.condition.awaitsOther
      && (!starts.condition.waitsForSufficientData || starts.condition.wait.isOverdue)
  }

  /// Content for stream frame `begin` was added where the output has silence.
  func fillIn(from begin: StreamFrame) {
    assertLocked()
    given.fill(from: begin)
    performLocked(.fillIn)
  }

  /// Has what was added be heard from `k` on, where the output has silence.
  func carryOutFillIn(at k: StreamFrame) {
    assertLocked()
    let begin = given.takeFilled()
    guard line.transport == .running, line.runsOn || line.written > line.ring.end else { return }
    if line.runsOn {
      line.fillIn(at: k, from: begin, fade: starts.fade)
    } else if line.fallDry(at: k) {
      output.stop(afterFrame: k)
      limitWait()
    }
  }

  /// All content is discarded from `k` on, and media time runs on.
  func clearRunningOn(at k: StreamFrame, fade: Int) {
    assertLocked()
    line.fadeToSilence(at: k, fade: fade)
    given.forgetFilled()
    intake.unheardBuffers.removeAll()
    replaceConversion(pace: conversion.pace)
    intake.awaitsFlush = false
  }

  /// A line that waits for enough goes on with less before long, or with nothing where it runs on.
  func limitWait() {
    assertLocked()
    guard line.isStalled, callbacks.paceChanged == nil, lead > 0 || line.runsOn,
      let number = starts.condition.wait.limit()
    else { return }
    renderersQueue.asyncAfter(deadline: .now() + Self.longestWait) { [weak self] in
      guard let self else { return }
      output.withLock {
        if starts.condition.wait.expire(number), line.isStalled { performLocked(.resume) }
      }
    }
  }
}
