// SPDX-License-Identifier: Apache-2.0

import Dispatch
import SoundFiles

/// A music folder, its index, and the scans that bring the index up to date.
///
/// Used on the service's queue; scans run on a queue of their own, and tell there when they have ended.
final class MusicLibrary: @unchecked Sendable {
  // @unchecked: touched on the service's queue only, but for `path`, `root` and `scans`, which are constant.

  /// A scan that was asked for.
  struct Job: Hashable, Sendable {
    let number: Int
    let uri: String
    let isComplete: Bool
  }

  /// Path of the music folder, without a slash at its end.
  let root: String
  let index: LibraryIndex
  /// Moment of the last scan that has changed something, in seconds since 1970; 0 for none.
  private(set) var updatedAt: Int64 = 0
  /// Called when a scan begins, and when one has ended: whether anything has changed, and what went wrong.
  var told: (Told) -> Void = { _ in }

  /// What is told of scans.
  enum Told: Sendable {
    case began
    case ended(changes: Int)
    case failed(StoreError)
  }

  private let path: String
  private let queue: DispatchQueue
  private let scans = DispatchQueue(label: "attacca.library", qos: .utility)
  private var waiting: [Job] = []
  private var running: Job?
  private var lastNumber = 0

  /// Scans that wait for others, at most, as with MPD.
  private static let most = 32

  /// The library of the folder `root`, with its index at `path`; `queue` is the service's.
  init(root: String, path: String, queue: DispatchQueue) throws(StoreError) {
    var root = root[...]
    while root.count > 1, root.last == "/" { root = root.dropLast() }
    (self.root, self.path, self.queue) = (String(root), path, queue)
    index = try LibraryIndex(path: path, root: self.root)
  }

  /// Number of the scan that is under way; nil for none.
  var jobNumber: Int? { running?.number }

  /// Has a folder be scanned, behind what is being scanned.
  ///
  /// - Returns: The number of the scan.
  func update(_ uri: String, isComplete: Bool) throws(CommandError) -> Int {
    guard waiting.count < Self.most else {
      throw CommandError(.updateAlready, "already updating")
    }
    lastNumber = lastNumber % 32_768 + 1
    waiting.append(Job(number: lastNumber, uri: uri, isComplete: isComplete))
    beginNext()
    return lastNumber
  }

  private func beginNext() {
    guard running == nil, !waiting.isEmpty else { return }
    let job = waiting.removeFirst()
    running = job
    told(.began)
    let (path, root, queue) = (path, root, queue)
    scans.async { [self] in
      let outcome: Told
      do throws(StoreError) {
        let scan = try LibraryScan(path: path, root: root)
        outcome = .ended(changes: try scan.scan(job.uri, isComplete: job.isComplete))
      } catch {
        outcome = .failed(error)
      }
      queue.async { [self] in end(outcome) }
    }
  }

  private func end(_ outcome: Told) {
    running = nil
    if case .ended(let changes) = outcome, changes > 0 { updatedAt = WallClock.seconds }
    told(outcome)
    beginNext()
  }

  /// The path of what is at a URI below the folder; nil of a URI that leads out of it.
  func path(of uri: String) -> BytePath? {
    guard Self.isSafe(uri) else { return nil }
    return BytePath(uri.isEmpty ? root : "\(root)/\(uri)")
  }

  /// Tells whether a URI stays below the folder.
  static func isSafe(_ uri: String) -> Bool {
    !uri.utf8.contains(0) && uri.utf8.first != UInt8(ascii: "/")
      && !uri.split(separator: "/").contains { $0 == ".." || $0 == "." }
  }
}
