// SPDX-License-Identifier: Apache-2.0

package import MediaTime
import Synchronization

// Called by the device, with its lock held.
extension AudioBus: AudioOutputEvents {
  /// Tells every voice's renderer.
  private func tell(_ body: (any AudioOutputEvents) -> Void) {
    changing { for voice in voices { if let events = voice.events { body(events) } } }
  }

  /// Answers of the renderers of all voices that play.
  private func playing<Answer>(_ body: (any AudioOutputEvents) -> Answer) -> [Answer] {
    voices.compactMap { voice in
      mix.transport(of: voice.lane) == .stopped ? nil : voice.events.map(body)
    }
  }

  package func outputNeedsFrames() {
    assertLocked()
    changing {
      mix.clipped.count(before: certainlyHeard)
      for voice in voices { voice.needFrames() }
    }
  }

  package func outputUnderran(read: StreamFrame) {
    assertLocked()
    tell { $0.outputUnderran(read: read) }
  }

  package func outputMissed(from frame: StreamFrame) {
    assertLocked()
    changing {
      for voice in voices where mix.given(of: voice.lane) > frame {
        voice.events?.outputMissed(from: frame)
      }
    }
  }

  package func outputStopped() {
    assertLocked()
    changing {
      let stopped = voices.filter {
        if case .stopping = mix.transport(of: $0.lane) { true } else { false }
      }
      if case .stopping(let end) = mix.transport { attachedTap?.recorder.cut(at: end) }
      mix.deviceStopped()
      for voice in stopped { tellStop(voice) }
    }
  }

  package func outputClockChanged() {
    assertLocked()
    tell { $0.outputClockChanged() }
  }

  package func outputSpliceWasLate(
    for missed: Range<StreamFrame>, read: StreamFrame, isDelayable: Bool
  ) -> Bool {
    assertLocked()
    return changing {
      attachedTap?.recorder.wasLate(upTo: read)
      let rewritten = voices.compactMap { voice in
        mix.takeRewrite(voice.lane).map { (events: voice.events, from: $0) }
      }
      var isHidden = true
      for (events, from) in rewritten {
        if from >= missed.upperBound {
          events?.outputSpliceWasInTime()
        } else {
          // Two that were rewritten at once have one verdict: which of them was late is not known.
          let isDelayed = events?.outputSpliceWasLate(
            for: from..<missed.upperBound, read: read,
            isDelayable: isDelayable && rewritten.count == 1)
          isHidden = isHidden && isDelayed == true
        }
      }
      return isHidden && !rewritten.isEmpty
    }
  }

  package func outputSpliceWasInTime() {
    assertLocked()
    changing {
      attachedTap?.recorder.wasInTime()
      for voice in voices where mix.takeRewrite(voice.lane) != nil {
        voice.events?.outputSpliceWasInTime()
      }
    }
  }

  package func outputLosesDevice() {
    assertLocked()
    tell { $0.outputLosesDevice() }
    // What a voice that is gone had still to say is not heard any more.
    changing { for voice in voices where voice.isClosed { remove(voice) } }
  }

  package func firstFrameOfDevice(heard: StreamFrame, clock: StreamFrame) -> StreamFrame {
    assertLocked()
    // None that plays may lose what it has not been heard with.
    return playing { $0.firstFrameOfDevice(heard: heard, clock: clock) }.min() ?? max(heard, clock)
  }

  package func firstFrameAgain(from frame: StreamFrame) -> StreamFrame {
    assertLocked()
    return playing { $0.firstFrameAgain(from: frame) }.min() ?? frame
  }

  package var firstFrameToHandOver: StreamFrame {
    assertLocked()
    return playing { $0.firstFrameToHandOver }.max() ?? .min
  }

  package func outputRestarted(at first: StreamFrame) {
    assertLocked()
    tell { $0.outputRestarted(at: first) }
  }

  package func outputReplaced(at end: StreamFrame) {
    assertLocked()
    mix = BusMix(
      format: device.format, laneCapacity: Self.laneCapacity(of: device), replacing: mix)
    latency.store(mix.latency, ordering: .relaxed)
    tapDevice(after: end)
    tell { $0.outputReplaced(at: end) }
    changing { for voice in voices where voice.isClosed { remove(voice) } }
  }

  package func outputTells(_ event: RendererEvent) {
    assertLocked()
    tell { $0.outputTells(event) }
  }

  package func outputFailed(_ error: any Error) {
    assertLocked()
    tell { $0.outputFailed(error) }
    changing { for voice in voices where voice.isClosed { remove(voice) } }
  }

  package var isOver: Bool {
    assertLocked()
    return voices.allSatisfy { $0.events?.isOver ?? true }
  }

  package var isDraining: Bool {
    assertLocked()
    return voices.contains { $0.events?.isDraining ?? false }
  }
}
