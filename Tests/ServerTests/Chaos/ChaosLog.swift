// SPDX-License-Identifier: Apache-2.0

import Foundation
import PulseAudio

/// What has been done and told, by which what is heard is explained, with its times.
final class ChaosLog: @unchecked Sendable {
  // @unchecked: all of it is touched under `lock` only.
  private struct Entry {
    let text: String
    let begin: UInt64
    /// `.max` while it lasts.
    var end: UInt64
  }

  /// Nanoseconds until what was done has been heard: a start over a server that is 400 ms away, of a
  /// file on a disk that is slow, is heard within it.
  static let patience: UInt64 = 2_500_000_000
  /// Nanoseconds by which the recorder may be early.
  private static let leeway: UInt64 = 300_000_000

  private let lock = NSLock()
  private var entries: [Entry] = []
  private var violations: [String] = []
  private let begin = HostTime.now

  /// Notes what is done at once.
  func note(_ text: String) {
    let now = HostTime.now
    lock.withLock { entries.append(Entry(text: text, begin: now, end: now)) }
  }

  /// Notes what is told: its cause may be a second older.
  func hear(_ text: String) {
    let now = HostTime.now
    lock.withLock { entries.append(Entry(text: text, begin: now - 1_000_000_000, end: now)) }
  }

  /// Notes what lasts until `end` is called with the number that is returned.
  func begin(_ text: String) -> Int {
    let now = HostTime.now
    return lock.withLock {
      entries.append(Entry(text: text, begin: now, end: .max))
      return entries.count - 1
    }
  }

  func end(_ number: Int) {
    let now = HostTime.now
    lock.withLock { entries[number].end = now }
  }

  /// Whether anything that was done or told may be what is heard at a host time.
  func explains(_ hostTime: UInt64) -> Bool {
    lock.withLock {
      entries.contains {
        $0.begin <= hostTime + Self.leeway
          && ($0.end == .max || hostTime <= $0.end + Self.patience)
      }
    }
  }

  /// Forgets what is over and can explain nothing any more.
  func forget() {
    let old = HostTime.now - 60_000_000_000
    lock.withLock {
      guard entries.count > 2_000, !entries.contains(where: { $0.end == .max }) else { return }
      entries.removeAll { $0.end < old }
    }
  }

  /// Notes what must not be, with what was done before.
  func violate(_ text: String) {
    let now = HostTime.now
    lock.withLock {
      let last = entries.suffix(40).map { entry in
        let age = (Double(entry.begin) - Double(now)) / 1e9
        return "    \(age.short) s: \(entry.text)\(entry.end == .max ? " (lasts)" : "")"
      }
      let time = (Double(now - begin) / 1e9).short
      violations.append("after \(time) s: \(text)\n\(last.joined(separator: "\n"))")
      print("chaos: \(violations.last!)")
    }
  }

  var allViolations: [String] { lock.withLock { violations } }
}
