// SPDX-License-Identifier: Apache-2.0

import Attacca

/// One line about the output.
enum OutputNotice {
  /// nil for an event of something else.
  static func text(_ event: PlaybackEvent) -> String? {
    switch event {
    case .mediaServicesWereLost(let error):
      "\(ErrorText.of(error)); playing goes on from here as soon as there is an output again"
    case .mediaServicesWereReset: "there is an output again; playing goes on"
    case .routeDidChange(let change): text(change)
    case .pitchFollowsRate(_, let rate):
      "the pitch follows at \(rate.text(decimals: 2)) times the speed: it is kept from 1/4 to 4"
    case .deviceRefused(let device, let error): "cannot play on ‘\(device)’: \(ErrorText.of(error))"
    case .waitingBegan(let wait): "waiting: \(wait)"
    case .interruptionBegan(let cause): "held: \(text(cause))"
    case .interruptionEnded(let cause, let shouldResume):
      "no longer: \(text(cause))" + (shouldResume ? "; playing goes on" : "")
    case .currentItemDidChange, .chapterDidChange, .rateDidChange, .itemDidFinish, .itemsDidFail,
      .underrun, .waitingEnded, .durationDidChange, .tagsDidChange, .outputDidChange,
      .outputVolumeDidChange, .endOfQueue, .didFallAsleep,
      .silenceSkipped, .progress, .failed:
      nil
    }
  }

  private static func text(_ change: RouteChange) -> String {
    let now = change.current.map { "playing on ‘\($0)’ now" } ?? "there is nothing to play on"
    guard let previous = change.previous else { return now }
    return switch change.reason {
    case .oldDeviceUnavailable where previous == change.current:
      "what was plugged into ‘\(previous)’ is gone"
    case .oldDeviceUnavailable: "\(now): ‘\(previous)’ is gone"
    case .newDeviceAvailable: "\(now), which has appeared"
    case .override, .routeConfigurationChange, .noSuitableRouteForCategory: now
    }
  }

  private static func text(_ cause: Interruption) -> String {
    switch cause {
    case .policy: "the sound server asks for silence, as for a call"
    case .deviceSuspended: "the output is suspended"
    }
  }
}
