// SPDX-License-Identifier: Apache-2.0

import Attacca
import Foundation
import PulseAudio

/// A player's events as short sentences, with the time at which they were received.
///
/// "current NAME", "finished NAME", "failed NAME: ERROR" (NAME being the file's), "current nil",
/// "rate 1", "underrun", "device", "end", "over: ERROR".
final class EventLog: @unchecked Sendable {
  // @unchecked: `entries` is touched under `condition` only.
  private let condition = NSCondition()
  private var entries: [(sentence: String, hostTime: UInt64)] = []

  init(_ events: EventSequence<PlaybackEvent>) {
    Task {
      for await event in events {
        let now = HostTime.now()
        for sentence in Self.sentences(event) { add(sentence, now) }
      }
    }
  }

  private func add(_ sentence: String, _ hostTime: UInt64) {
    condition.withLock {
      entries.append((sentence, hostTime))
      condition.broadcast()
    }
  }

  private static func name(_ item: PlaylistItem) -> String {
    (item.path as NSString).lastPathComponent
  }

  private static func sentences(_ event: PlaybackEvent) -> [String] {
    guard case .itemsDidFail(let failures) = event else { return [sentence(event)] }
    return failures.map { "failed \(name($0.item)): \($0.error)" }
  }

  private static func sentence(_ event: PlaybackEvent) -> String {
    switch event {
    case .currentItemDidChange(let item): "current \(item.map(name) ?? "nil")"
    case .chapterDidChange(let chapter): "chapter \(chapter?.title ?? "nil")"
    case .rateDidChange(let rate): "rate \(Int(rate))"
    case .itemDidFinish(let item): "finished \(name(item))"
    case .itemsDidFail: "failed"
    case .underrun: "underrun"
    case .durationDidChange(let item, let length): "length \(name(item)) \(length)"
    case .tagsDidChange(let item, _): "tags \(name(item))"
    case .waitingBegan(let wait): "waits \(name(wait.item))"
    case .waitingEnded(let wait): "waited \(name(wait.item))"
    case .outputDidChange: "device"
    case .routeDidChange(let change):
      "route \(change.previous ?? "none")>\(change.current ?? "none") \(change.reason)"
    case .pitchFollowsRate(_, let rate): "pitch follows \(rate)"
    case .deviceRefused(let device, _): "refused \(device)"
    case .mediaServicesWereLost: "lost"
    case .mediaServicesWereReset: "returned"
    case .interruptionBegan(let cause): "interrupted \(cause)"
    case .interruptionEnded(let cause, let shouldResume): "uninterrupted \(cause) \(shouldResume)"
    case .outputVolumeDidChange(let volume, let isMuted): "volume \(volume) \(isMuted)"
    case .endOfQueue: "end"
    case .didFallAsleep: "asleep"
    case .silenceSkipped(let length): "skipped \(length)"
    case .progress: "progress"
    case .failed(let error): "over: \(error)"
    }
  }

  var sentences: [String] { condition.withLock { entries.map(\.sentence) } }

  /// When the first one that `matches` was received.
  func hostTime(_ matches: (String) -> Bool) -> UInt64? {
    condition.withLock { entries.first { matches($0.sentence) }?.hostTime }
  }

  /// Waits until `count` events that `matches` have come; 20 s at most.
  func wait(_ what: String, count: Int = 1, _ matches: (String) -> Bool) throws {
    let end = Date(timeIntervalSinceNow: 20)
    condition.lock()
    defer { condition.unlock() }
    while entries.count(where: { matches($0.sentence) }) < count {
      guard condition.wait(until: end) else {
        throw Unmet("\(what) within 20 s; so far: \(entries.map(\.sentence))")
      }
    }
  }
}
