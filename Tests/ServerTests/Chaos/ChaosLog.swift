// SPDX-License-Identifier: Apache-2.0

import Attacca
import Foundation
import PulseAudio

/// What has been done and told, by which what is heard is explained, with its times.
final class ChaosLog: @unchecked Sendable {
  // @unchecked: all of it is touched under `lock` only.
  private struct Entry {
    let text: String
    let cause: ChaosCause
    let begin: UInt64
    /// `.max` while it lasts.
    var end: UInt64
  }

  private let lock = NSLock()
  private var entries: [Entry] = []
  /// Entries that have been forgotten.
  private var forgotten = 0
  private var violations: [String] = []
  /// The host time, as what notes and what asks knows it.
  private let now: @Sendable () -> UInt64
  private let begin: UInt64

  init(now: @escaping @Sendable () -> UInt64 = HostTime.now) { (self.now, begin) = (now, now()) }

  private func add(_ text: String, _ cause: ChaosCause, _ begin: UInt64, _ end: UInt64) -> Int {
    lock.withLock {
      entries.append(Entry(text: text, cause: cause, begin: begin, end: end))
      return forgotten + entries.count - 1
    }
  }

  /// Notes what is done at once.
  func note(_ text: String, _ cause: ChaosCause = .nothing) {
    let now = now()
    _ = add(text, cause, now, now)
  }

  /// Notes what is told: its cause may be a second older.
  func hear(_ text: String, _ cause: ChaosCause) {
    let now = now()
    _ = add("told \(text)", cause, now - 1_000_000_000, now)
  }

  /// Notes what a renderer tells of itself.
  func listen(to renderer: AudioRenderer) {
    let events = renderer.rendererEvents
    Task {
      for await event in events {
        let text = "renderer \(String(describing: event).prefix(120))"
        switch event {
        case .lateSplice(let frames): hear(text, .late(Int(frames)))
        case .underrun: hear(text, .underrun)
        case .routeDidChange: hear(text, .route)
        case .failed: violate(text)
        case .drained, .deviceRefused, .outputVolumeDidChange: hear(text, .nothing)
        default: hear(text, .transport)
        }
      }
    }
  }

  /// Notes what lasts until `end` is called with the number that is returned.
  func begin(_ text: String, _ cause: ChaosCause) -> Int { add(text, cause, now(), .max) }

  func end(_ number: Int) {
    let now = now()
    lock.withLock { entries[number - forgotten].end = now }
  }

  /// What was done, told or lasted within a range of host times.
  func causes(_ times: ClosedRange<UInt64>) -> [ChaosCause] {
    lock.withLock {
      entries.filter { $0.begin <= times.upperBound && $0.end >= times.lowerBound }.map(\.cause)
    }
  }

  /// What has begun and not ended.
  var lasting: [String] { lock.withLock { entries.filter { $0.end == .max }.map(\.text) } }

  /// Forgets what was over a minute ago.
  func forget() {
    let old = now() - 60_000_000_000
    lock.withLock {
      let kept = entries.firstIndex { $0.end >= old } ?? entries.count
      entries.removeFirst(kept)
      forgotten += kept
    }
  }

  /// Notes what must not be, with what was done before.
  func violate(_ text: String) {
    let now = now()
    lock.withLock {
      // Of what has been enqueued there are hundreds.
      let old = entries.dropLast(60).filter {
        if case .seek = $0.cause { false } else { $0.end == .max }
      }
      let last = (old + entries.suffix(60)).map { entry in
        let age = (Double(entry.begin) - Double(now)) / 1e9
        let end =
          entry.end == .max
          ? ", lasts"
          : entry.end == entry.begin ? "" : " to \(((Double(entry.end) - Double(now)) / 1e9).short)"
        return "    \(age.short)\(end) s: \(entry.text)"
      }
      let time = (Double(now - begin) / 1e9).short
      violations.append("after \(time) s: \(text)\n\(last.joined(separator: "\n"))")
      print("chaos: \(violations.last!)")
    }
  }

  var allViolations: [String] { lock.withLock { violations } }
}
