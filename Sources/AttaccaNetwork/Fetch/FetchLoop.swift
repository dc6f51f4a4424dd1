// SPDX-License-Identifier: Apache-2.0

import Attacca
import CCurl
import Dispatch
import MediaTime
import SampleBuffers

/// The thread that all downloads share: it asks servers and takes what they send.
///
/// It is there while somebody loads something, and some seconds longer: a connection that is open is used again.
final class FetchLoop: @unchecked Sendable {
  static let shared = FetchLoop()

  // @unchecked: what is mutable is touched only between wait and signal of `semaphore`, but for what `multi` points
  // to, which belongs to the thread; waking it is allowed from everywhere.
  private let semaphore = DispatchSemaphore(value: 1)
  private var downloads: [ObjectIdentifier: Download] = [:]
  /// Those that something has happened to since the thread looked.
  private var changed: Set<ObjectIdentifier> = []
  private var multi: UnsafeMutableRawPointer?

  /// Nanoseconds that connections are kept for.
  private static let rest: UInt64 = 5_000_000_000

  /// Has the thread look at what `download` wants; any thread.
  func attend(_ download: Download) {
    semaphore.withLock {
      let id = ObjectIdentifier(download)
      downloads[id] = download
      changed.insert(id)
      if let multi {
        attacca_curl_multi_wakeup(multi)
      } else {
        multi = attacca_curl_multi_init()
        nonisolated(unsafe) let handle = multi!  // from here on the thread's
        NamedThread.start("attacca-fetch", stackSize: 1 << 20) { [self] in run(handle) }
      }
    }
  }

  private func run(_ multi: UnsafeMutableRawPointer) {
    var idleSince: UInt64?
    while true {
      let now = HostTime.now()
      let wake = turnAll(on: multi, at: now)
      var running: Int32 = 0
      attacca_curl_multi_perform(multi, &running)
      let hasEnded = takeEnds(multi)
      if hasEnded { continue }
      let isOver = semaphore.withLock { () -> Bool in
        guard downloads.isEmpty else {
          idleSince = nil
          return false
        }
        idleSince = idleSince ?? now
        guard now - idleSince! >= Self.rest else { return false }
        self.multi = nil
        attacca_curl_multi_cleanup(multi)
        return true
      }
      if isOver { return }
      let time = HostTime.now()
      let milliseconds = wake > time ? min((wake - time) / 1_000_000 + 1, 5_000) : 0
      attacca_curl_multi_poll(multi, nil, 0, Int32(milliseconds), nil)
    }
  }

  /// Has each download do what it has to.
  ///
  /// None of them is held any longer than this takes: what a download has open is closed with its last owner, and the
  /// thread waits for seconds behind it.
  ///
  /// - Returns: the moment at which one of them, or none, has to be looked at again.
  private func turnAll(on multi: UnsafeMutableRawPointer, at now: UInt64) -> UInt64 {
    let present = semaphore.withLock {
      changed = []
      return downloads
    }
    var wake = now + Self.rest
    for (id, download) in present {
      switch download.turn(on: multi, at: now) {
      case .resting:
        let last = semaphore.withLock {
          changed.contains(id) ? nil : downloads.removeValue(forKey: id)
        }
        // Its memory may go with it, without the semaphore.
        withExtendedLifetime(last) {}
      case .until(let time): wake = min(wake, time)
      }
    }
    return wake
  }

  /// Tells downloads of transfers that are over.
  ///
  /// - Returns: whether there were any.
  private func takeEnds(_ multi: UnsafeMutableRawPointer) -> Bool {
    var (left, any) = (Int32(0), false)
    while let message = attacca_curl_multi_info_read(multi, &left) {
      guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle else {
        continue
      }
      let code = message.pointee.data.result
      let download = semaphore.withLock { downloads.values.first { $0.owns(easy) } }
      download?.end(easy, code, on: multi)
      any = true
    }
    return any
  }
}
