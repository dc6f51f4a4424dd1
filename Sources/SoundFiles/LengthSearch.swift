// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// A count of the frames of one file whose headers do not tell them: all of it is read for that.
///
/// Whoever has the file open has the same search, which is over as soon as the length is known or
/// nobody has the file open. Thread-safe.
public final class LengthSearch: @unchecked Sendable {
  private enum State {
    case idle, running
    case over(MPEGScan?)
  }

  // @unchecked: everything mutable is touched only between wait and signal of `semaphore`.
  private let semaphore = DispatchSemaphore(value: 1)
  private var state = State.idle
  /// Touched only between wait and signal of `registrySemaphore`.
  private var users = 0
  /// Held by who searches; whoever waits for the end waits for it.
  private let turn = DispatchSemaphore(value: 1)
  private let file: RegularFile
  private let stream: MPEGStream
  private let promise: InfoPromise
  private let key: Key

  private struct Key: Hashable {
    let identity: FileIdentity
    let size: Int64
  }

  /// The searches for files that are open; touched only between wait and signal of `registrySemaphore`.
  nonisolated(unsafe) private static var registry: [Key: LengthSearch] = [:]
  private static let registrySemaphore = DispatchSemaphore(value: 1)

  /// The search for a file that others may have open, too; each call is followed by one of `leave`.
  static func of(
    _ file: RegularFile, stream: MPEGStream, promise: InfoPromise
  ) throws(SoundFileError) -> LengthSearch {
    let key = Key(identity: file.identity, size: file.size)
    let new = LengthSearch(
      try RegularFile(duplicating: file), stream: stream, promise: promise, key: key)
    registrySemaphore.wait()
    defer { registrySemaphore.signal() }
    let search = registry[key] ?? new
    registry[key] = search
    search.users += 1
    return search
  }

  private init(_ file: RegularFile, stream: MPEGStream, promise: InfoPromise, key: Key) {
    (self.file, self.stream, self.promise, self.key) = (file, stream, promise, key)
  }

  /// One of those who had the file open has closed it.
  func leave() {
    Self.registrySemaphore.wait()
    users -= 1
    if users == 0 {
      Self.registry[key] = nil
      file.cancel()
    }
    Self.registrySemaphore.signal()
  }

  /// Reads the file to its end, or waits for who does; returns at once if that has been done.
  public func run() {
    turn.wait()
    defer { turn.signal() }
    guard begin() else { return }
    let scan: MPEGScan?
    do throws(SoundFileError) {
      scan = try MPEGScan(of: file, stream: stream, promise: promise)
    } catch {
      // Whoever reads up to there meets the same error, and tells it.
      scan = nil
    }
    semaphore.wait()
    state = .over(scan)
    semaphore.signal()
  }

  private func begin() -> Bool {
    semaphore.wait()
    defer { semaphore.signal() }
    guard case .idle = state else { return false }
    state = .running
    return true
  }

  /// Heard frames of the file; nil where that is not known, or not yet.
  public var frameCount: Int64? { scan?.frameCount }

  var scan: MPEGScan? {
    semaphore.wait()
    defer { semaphore.signal() }
    if case .over(let scan) = state { return scan }
    return nil
  }
}
