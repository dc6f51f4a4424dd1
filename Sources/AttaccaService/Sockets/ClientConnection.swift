// SPDX-License-Identifier: Apache-2.0

import CEpoll
import Glibc

/// One connection of a client: bytes in and out, without waiting for either; touched on the service's queue.
final class ClientConnection {
  private let descriptor: Int32
  private let loop: ClientLoop
  private var number: UInt64 = 0
  private var outgoing: [UInt8] = []
  private var sent = 0
  private var phase = Phase.open
  /// What the loop waits for.
  private var watched = (reads: true, writes: false)
  private var isNoted = false
  /// True where the client has asked for more than there was room for.
  private var isBehind = false
  /// Bytes that wait for the client, at most: one that does not read is left.
  private let most: Int
  /// Called with what has come, with nothing where there is room again; tells whether it waits for more room.
  var received: (UnsafeRawBufferPointer) -> Bool = { _ in false }
  /// Called once, at the end.
  var ended: () -> Void = {}

  private enum Phase { case open, draining, closed }

  /// Bytes that wait from which on nothing more is read or made.
  private static let enough = 1 << 18

  /// A connection of a socket that does not block, which belongs to it from now on.
  init(_ descriptor: Int32, loop: ClientLoop, most: Int) {
    (self.descriptor, self.loop, self.most) = (descriptor, loop, most)
    var one: Int32 = 1
    setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    number = loop.add(self, descriptor)
  }

  /// True while what is sent does not pile up.
  var takesMore: Bool { outgoing.count - sent < Self.enough }

  /// Takes what the loop has seen.
  func take(_ events: UInt32) {
    if events & EPOLLOUT.rawValue != 0 {
      flush()
      goOn()
      watch()
    }
    if events & EPOLLIN.rawValue != 0 {
      read()
    } else if events & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0 {
      end()
    }
  }

  private func read() {
    guard phase == .open, watched.reads else { return }
    withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 1) { buffer in
      let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
      if count > 0 {
        isBehind = received(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        watch()
      } else if count == 0 {
        close()
      } else if errno != EAGAIN, errno != EINTR {
        end()
      }
    }
  }

  func send(_ bytes: [UInt8]) {
    guard phase != .closed, !bytes.isEmpty else { return }
    if sent == outgoing.count { (outgoing, sent) = (bytes, 0) } else { outgoing += bytes }
    guard outgoing.count - sent <= most else { return end() }
    note()
  }

  private func note() {
    guard !isNoted else { return }
    isNoted = true
    loop.note(self)
  }

  /// Ends the connection once what has been sent is out; the second time at once.
  func close() {
    guard phase == .open else { return end() }
    phase = .draining
    note()
  }

  /// Sends what the socket takes, and goes on with what has waited for room.
  func flush() {
    isNoted = false
    while phase != .closed, sent < outgoing.count {
      let count = outgoing.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress! + sent, $0.count - sent, Int32(MSG_NOSIGNAL))
      }
      if count >= 0 {
        sent += count
      } else if errno == EAGAIN {
        break
      } else if errno != EINTR {
        return end()
      }
    }
    if sent == outgoing.count {
      (outgoing, sent) = ([], 0)
      if phase == .draining { return end() }
    }
    watch()
  }

  /// Goes on with what has waited for room; in a turn of the loop.
  private func goOn() {
    guard isBehind, phase == .open, takesMore else { return }
    isBehind = received(UnsafeRawBufferPointer(start: nil, count: 0))
  }

  private func watch() {
    guard phase != .closed else { return }
    let reads = phase == .open && takesMore && !isBehind
    let writes = sent < outgoing.count || isBehind
    guard watched != (reads, writes) else { return }
    watched = (reads, writes)
    loop.watch(descriptor, number, reads: reads, writes: writes)
  }

  private func end() {
    guard phase != .closed else { return }
    phase = .closed
    (outgoing, sent) = ([], 0)
    loop.remove(number, descriptor)
    Glibc.close(descriptor)
    ended()
  }

  /// Ends the connection at once.
  func drop() { end() }
}
