// SPDX-License-Identifier: Apache-2.0

import CEpoll
import Dispatch
import Glibc
import SampleBuffers

/// The thread that waits for all clients at once.
///
/// What has come by all of them is one turn on the service's queue. What the turn has changed is written to the journal by this
/// thread, outside of the queue, and the answers go out behind that: who reads one knows that the change is kept.
final class ClientLoop: @unchecked Sendable {
  // @unchecked: touched on the service's queue only, but for the descriptors, which are constant until the thread ends.
  private let queue: DispatchQueue
  private let keeper: StateKeeper
  private let descriptor: Int32
  private let bell: Int32
  private var connections: [UInt64: ClientConnection] = [:]
  private var lastNumber: UInt64 = 0
  /// Connections that something is to be sent by.
  private var due: [ClientConnection] = []
  private var isInTurn = false
  private var isRung = false
  private var isOver = false
  private let ended = DispatchSemaphore(value: 0)

  /// Sockets that are looked at in one turn, at most.
  private static let most = 64

  init(queue: DispatchQueue, keeper: StateKeeper) {
    (self.queue, self.keeper) = (queue, keeper)
    descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
    bell = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    watch(bell, EPOLLIN.rawValue, number: 0, EPOLL_CTL_ADD)
    NamedThread.start("attacca-clients", stackSize: 1 << 20) { [self] in run() }
  }

  private func watch(_ socket: Int32, _ events: UInt32, number: UInt64, _ call: Int32) {
    var event = epoll_event()
    event.events = events
    event.data.u64 = number
    epoll_ctl(descriptor, call, socket, &event)
  }

  private func run() {
    let events = UnsafeMutablePointer<epoll_event>.allocate(capacity: Self.most)
    defer { events.deallocate() }
    while true {
      let count = epoll_wait(descriptor, events, Int32(Self.most), -1)
      // The queue is this thread's for a moment: nobody is woken for that.
      guard let turn = queue.sync(execute: { begin(events, Int(max(0, count))) }) else { break }
      guard turn.isToKeep else { continue }
      keeper.keep(turn)
      queue.sync { flush() }
    }
    close(bell)
    close(descriptor)
    ended.signal()
  }

  /// Carries out what has come.
  ///
  /// - Returns: What is to be kept before the answers go out; nil at the end.
  private func begin(_ events: UnsafeMutablePointer<epoll_event>, _ count: Int) -> KeptTurn? {
    guard !isOver else { return nil }
    isInTurn = true
    for index in 0..<count {
      // Copied, as the structure is packed.
      let (number, kinds) = (events[index].data.u64, events[index].events)
      if number == 0 {
        var rings: UInt64 = 0
        _ = read(bell, &rings, 8)
        isRung = false
      } else {
        connections[number]?.take(kinds)
      }
    }
    let turn = keeper.take()
    if !turn.isToKeep { flush() }
    return turn
  }

  private func flush() {
    let due = due
    self.due = []
    for connection in due { connection.flush() }
    isInTurn = false
  }

  /// Has a turn come soon, as something has happened that is no client's doing; on the service's queue.
  func ring() {
    guard !isInTurn, !isRung else { return }
    isRung = true
    var one: UInt64 = 1
    _ = write(bell, &one, 8)
  }

  /// Ends the thread and all connections, and waits for that; not on the service's queue.
  func stop() {
    queue.sync {
      guard !isOver else { return }
      (isInTurn, isRung) = (false, false)
      ring()
      isOver = true
    }
    ended.wait()
    ended.signal()
    queue.sync { for connection in connections.values { connection.drop() } }
  }

  // MARK: Connections

  /// Takes up a connection, and returns its number.
  func add(_ connection: ClientConnection, _ socket: Int32) -> UInt64 {
    lastNumber += 1
    connections[lastNumber] = connection
    watch(socket, EPOLLIN.rawValue, number: lastNumber, EPOLL_CTL_ADD)
    return lastNumber
  }

  /// Waits for a connection to have something to read, or room.
  func watch(_ socket: Int32, _ number: UInt64, reads: Bool, writes: Bool) {
    let events = (reads ? EPOLLIN.rawValue : 0) | (writes ? EPOLLOUT.rawValue : 0)
    watch(socket, events, number: number, EPOLL_CTL_MOD)
  }

  /// Lets go of a connection that has ended, before its descriptor is closed.
  func remove(_ number: UInt64, _ socket: Int32) {
    connections[number] = nil
    if !isOver { watch(socket, 0, number: number, EPOLL_CTL_DEL) }
  }

  /// Notes that a connection has something to send.
  func note(_ connection: ClientConnection) {
    due.append(connection)
    ring()
  }

  var count: Int { connections.count }

  var all: [ClientConnection] { Array(connections.values) }
}
