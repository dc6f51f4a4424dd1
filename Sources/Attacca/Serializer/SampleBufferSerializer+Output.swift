// SPDX-License-Identifier: Apache-2.0

import MediaTime
import Rendering

// What happens to the renderer by itself; on the serialization queue.
extension SampleBufferSerializer {
  func rendererDid(_ event: RendererEvent) {
    assertOnQueue()
    switch event {
    case .drained: reachEnd()
    case .underrun(let time):
      send(.underrun(at: time))
      watchForWait()
    case .outputConfigurationDidChange: send(.outputDidChange)
    case .outputLost(let error): send(.mediaServicesWereLost(error))
    case .outputReturned: send(.mediaServicesWereReset)
    case .routeDidChange(let change):
      if change.isUnplugging { pauseUnplugged() }
      send(.routeDidChange(change))
    case .deviceRefused(let device, let error): send(.deviceRefused(device, error))
    case .pitchFollowsRate(let algorithm, let rate):
      send(.pitchFollowsRate(algorithm, rate: rate))
    case .outputVolumeDidChange(let volume, let isMuted):
      send(.outputVolumeDidChange(volume, isMuted: isMuted))
    case .interruptionBegan(let cause): interrupt(cause)
    case .interruptionEnded(let cause): endInterruption(cause)
    case .failed(let error): fail(error)
    // What was discarded is enqueued again in any case: `refill`.
    case .wasFlushedAutomatically, .lateSplice: break
    }
  }

  /// The device is gone: who wants that pauses before anything is told.
  private func pauseUnplugged() {
    let pauses = shared.update { state in
      guard state.pausesWhenUnplugged, state.transport.isPlaying else { return false }
      state.pause()
      return true
    }
    if pauses { follow() }
  }

  private func interrupt(_ cause: Interruption) {
    let holds = transport.interrupt(cause, rate: synchronizer.rate)
    send(.interruptionBegan(cause))
    if holds { setRate(0) }
  }

  /// Goes on unless someone has paused, or played in spite of it, meanwhile.
  private func endInterruption(_ cause: Interruption) {
    let resumes = transport.endInterruption(cause)
    send(.interruptionEnded(cause, shouldResume: resumes))
    if resumes { setRate(shared.snapshot.transport.rate) }
  }
}
