// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MediaTime
import Rendering

// The sleep timer; on the serialization queue.
extension SampleBufferSerializer {
  /// Has the timer that is set be the one that is waited for.
  func followSleep(_ plan: QueueState) {
    assertOnQueue()
    // Who goes elsewhere within the fade is awake.
    if let faded = sleeping.alarm?.faded, faded.generation != plan.generation,
      sleeping.alarm?.deadline == plan.sleep?.deadline
    {
      shared.update { $0.sleep = nil }
      return endAlarm()
    }
    guard sleeping.alarm?.deadline != plan.sleep?.deadline else { return }
    endAlarm()
    guard let sleep = plan.sleep, let deadline = sleep.deadline else { return }
    let fade = UInt64(sleep.fade.frames(at: 1_000_000_000))
    sleeping.alarm = SleepAlarm(deadline: deadline, fade: fade)
    guard fade > 0 else { return wake(at: deadline) { $0.fallAsleep() } }
    wake(at: deadline > fade ? deadline - fade : 0) { $0.beginSleepFade() }
  }

  private func wake(at time: UInt64, _ body: @escaping (SampleBufferSerializer) -> Void) {
    let timer = DispatchWorkItem { [weak self] in
      if let self { body(self) }
    }
    sleeping.alarm?.timer = timer
    let now = HostTime.now()
    let wait = time > now ? Int(clamping: time - now) : 0
    queue.asyncAfter(deadline: .now() + .nanoseconds(wait), execute: timer)
  }

  /// The fade before the end of the timer begins where playing is.
  func beginSleepFade() {
    assertOnQueue()
    guard let alarm = sleeping.alarm else { return }
    wake(at: alarm.deadline) { $0.fallAsleep() }
    guard synchronizer.rate != 0, let heard = hearing?.0 else { return }
    sleeping.alarm?.faded = heard
    sleeping.alarm?.automation = renderer.volumeAutomation
    fadeToSleep()
  }

  /// Has the volume go to zero, in as much of the content as is heard until the end of the timer.
  func fadeToSleep() {
    assertOnQueue()
    guard let alarm = sleeping.alarm, alarm.faded != nil, synchronizer.rate != 0,
      let (_, span, time) = hearing
    else { return }
    let now = HostTime.now()
    let left = min(alarm.deadline > now ? alarm.deadline - now : 0, alarm.fade)
    // A nanosecond of it is more than nothing, which would be no ramp.
    let seconds = Double(max(left, 1_000_000)) / 1e9 * abs(synchronizer.rate)
    let length = MediaTime(value: Int64((seconds * 1e6).rounded()), timescale: 1_000_000)
    let level = Float(Double(left) / Double(alarm.fade))
    var automation = VolumeAutomation()
    if span.range.isReversed {
      let end = MediaTime(.zero - time) - length
      automation.setVolume(0, at: end - MediaTime(PlayedRange.end))
      automation.setVolumeRamp(
        fromStartVolume: 0, toEndVolume: level,
        timeRange: MediaTimeRange(start: end, duration: length))
    } else {
      automation.setVolumeRamp(
        fromStartVolume: level, toEndVolume: 0,
        timeRange: MediaTimeRange(start: MediaTime(time), duration: length))
    }
    renderer.volumeAutomation = automation
  }

  /// The moment has come.
  func fallAsleep() {
    assertOnQueue()
    guard let alarm = sleeping.alarm else { return }
    sleeping.alarm = nil
    sleeping.unfaded = alarm.automation
    let (isAsleep, isElsewhere) = shared.update { state in
      let generation = state.generation
      return (state.fallAsleep(from: alarm.faded), state.generation != generation)
    }
    sleeping.isFallingAsleep = isAsleep
    follow()
    if !isElsewhere { tellSleep() }
  }

  /// Tells that the timer has had playing end, once it stands where it goes on.
  func tellSleep() {
    assertOnQueue()
    guard sleeping.isFallingAsleep else { return }
    sleeping.isFallingAsleep = false
    send(.didFallAsleep)
  }

  /// The timer is off.
  private func endAlarm() {
    sleeping.alarm?.timer?.cancel()
    if let automation = sleeping.alarm?.automation { renderer.volumeAutomation = automation }
    sleeping.alarm = nil
  }

  /// Gives the renderer the volume back that it had before the fade.
  func endSleepFade() {
    assertOnQueue()
    guard let automation = sleeping.unfaded else { return }
    sleeping.unfaded = nil
    renderer.volumeAutomation = automation
  }
}
