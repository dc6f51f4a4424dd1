// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc

/// One connection of a client: bytes in and out, without waiting for either; touched on the service's queue.
final class ClientConnection {
  private let descriptor: Int32
  private let reading: any DispatchSourceRead
  private let writing: any DispatchSourceWrite
  private var outgoing: [UInt8] = []
  private var sent = 0
  private var phase = Phase.open
  private var isReading = true
  private var isWriting = false
  /// Called with what has come; with nothing when the client takes more again.
  private let received: (UnsafeRawBufferPointer) -> Void
  private let ended: () -> Void

  private enum Phase { case open, draining, closed }

  /// Bytes that wait for a client, at most: one that does not read is left.
  private static let most = 128 << 20
  /// Bytes that wait from which on nothing more is read.
  private static let enough = 1 << 20

  init(
    _ descriptor: Int32, queue: DispatchQueue,
    received: @escaping (UnsafeRawBufferPointer) -> Void, ended: @escaping () -> Void
  ) {
    (self.descriptor, self.received, self.ended) = (descriptor, received, ended)
    var one: Int32 = 1
    setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    reading = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    writing = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
    let (group, open) = (DispatchGroup(), descriptor)
    for _ in 0..<2 { group.enter() }
    reading.setCancelHandler { group.leave() }
    writing.setCancelHandler { group.leave() }
    // The descriptor is closed when neither source looks at it any more.
    group.notify(queue: queue) { Glibc.close(open) }
    nonisolated(unsafe) let connection = self
    reading.setEventHandler { [weak connection] in connection?.read() }
    writing.setEventHandler { [weak connection] in connection?.write() }
    reading.resume()
  }

  /// True while what is sent does not pile up.
  var takesMore: Bool { outgoing.count - sent < Self.enough }

  private func read() {
    withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 1) { buffer in
      let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
      if count > 0 {
        if phase == .open { received(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
        setReading(takesMore && phase == .open)
      } else if count == 0 || errno != EAGAIN && errno != EINTR {
        end()
      }
    }
  }

  func send(_ bytes: [UInt8]) {
    guard phase != .closed, !bytes.isEmpty else { return }
    if sent == outgoing.count { (outgoing, sent) = (bytes, 0) } else { outgoing += bytes }
    // What is on its way already goes first.
    if !isWriting { write() }
    if outgoing.count - sent > Self.most { end() }
  }

  /// Ends the connection once what has been sent is out.
  func close() {
    guard phase == .open else { return }
    phase = .draining
    setReading(false)
    if sent == outgoing.count { end() }
  }

  private func write() {
    while sent < outgoing.count {
      let count = outgoing.withUnsafeBytes {
        Glibc.send(
          descriptor, $0.baseAddress! + sent, $0.count - sent, Int32(MSG_NOSIGNAL))
      }
      if count >= 0 {
        sent += count
      } else if errno == EAGAIN {
        return setWriting(true)
      } else if errno != EINTR {
        return end()
      }
    }
    (outgoing, sent) = ([], 0)
    setWriting(false)
    if phase == .draining { return end() }
    if !isReading, phase == .open {
      setReading(true)
      received(UnsafeRawBufferPointer(start: nil, count: 0))
    }
  }

  private func setReading(_ isOn: Bool) {
    guard isOn != isReading, phase != .closed else { return }
    isReading = isOn
    if isOn { reading.resume() } else { reading.suspend() }
  }

  private func setWriting(_ isOn: Bool) {
    guard isOn != isWriting, phase != .closed else { return }
    isWriting = isOn
    if isOn { writing.resume() } else { writing.suspend() }
  }

  private func end() {
    guard phase != .closed else { return }
    // A source that is suspended is never cancelled.
    setReading(true)
    setWriting(true)
    phase = .closed
    reading.cancel()
    writing.cancel()
    ended()
  }

  /// Ends the connection at once.
  func drop() { end() }
}
