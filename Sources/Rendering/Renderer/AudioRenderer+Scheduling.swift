// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MediaTime

// Not a global queue: its threads are those of Swift's tasks, as many as there are cores, and tasks
// that block would hold up every start.
private let scheduleQueue = DispatchQueue(label: "attacca.schedule", qos: .userInitiated)

// A start at a host time, with the output's lock held.
//
// Media time holds until then while the device plays silence, so that its clock is known; a moment
// before, the clock tells the stream frame, and the line is put there. One write, at one frame.
extension AudioRenderer {
  /// Media time holds at `media` until `hostTime`, and runs from then on; or has done so since.
  func schedule(
    atHostTime hostTime: UInt64, media: TimelineFrame, fade: Int, at position: OutputPosition
  ) {
    assertLocked()
    let k = given.changeable(from: position.safe)
    if line.transport == .running, !isPaceStale,
      let frame = output.clock.expectedFrame(atHostTime: hostTime),
      frame <= k, line.leads(to: media + (k - frame))
    {
      starts.fade = fade
      return run(at: k, media: media + (k - frame), fade: fade)
    }
    fallSilent(at: fade > 0 ? position.replaceable : position.safe, fade: fade)
    line.hold(at: media)
    starts.schedule(atHostTime: hostTime, fade: fade)
    advanceSchedule(at: position)
  }

  /// Does what is due before a scheduled start, or starts.
  func advanceSchedule(at position: OutputPosition) {
    assertLocked()
    guard let start = starts.scheduled else { return }
    let now = HostTime.now()
    let wait = start.hostTime > now ? start.hostTime - now : 0
    let isExact = output.clock.isExact
    // Until then the device may sleep.
    if !isExact && wait > ScheduledStart.wakeUp {
      return look(in: wait - ScheduledStart.wakeUp, for: start)
    }
    let k = given.changeable(from: position.safe)
    if start.silentUpTo == nil {
      starts.holdSilence(upTo: k)
      given.hasPadded = false
      output.start()
    }
    holdSilence()
    // `outputClockChanged` comes back to it.
    guard !isPaceStale,
      let frame = output.clock.expectedFrame(atHostTime: start.hostTime)
    else { return }
    if !isExact && wait > ScheduledStart.decision {
      return look(in: wait - ScheduledStart.decision, for: start)
    }
    holdSilence(until: frame)
    // Where it is too late already, media time is where it would be.
    let first = max(frame, k)
    starts.place(at: first)
    run(at: first, media: line.idleMedia + (first - frame), fade: start.fade)
  }

  private func look(in nanoseconds: UInt64, for start: ScheduledStart) {
    let number = start.number
    scheduleQueue.asyncAfter(deadline: .now() + .nanoseconds(Int(clamping: nanoseconds))) {
      [weak self] in self?.perform(.advanceSchedule(number))
    }
  }

  /// Gives the output the silence that it plays until the start, as far as it has room for it, or
  /// all of it.
  func holdSilence(until end: StreamFrame? = nil) {
    assertLocked()
    guard let from = starts.scheduled?.silentUpTo else { return }
    let end = end ?? output.reading.read + output.traits.targetLength
    guard end > from else { return }
    starts.holdSilence(upTo: end)
    output.writeSilence(from..<end)
  }

  /// Cancels a scheduled start: what is asked for instead takes place.
  func cancelSchedule(at position: OutputPosition) {
    assertLocked()
    guard let start = starts.cancel() else { return }
    if start.silentUpTo != nil { output.stop(afterFrame: max(position.safe, given.silentFrom)) }
  }
}
