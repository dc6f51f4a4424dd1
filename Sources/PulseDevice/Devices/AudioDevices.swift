// SPDX-License-Identifier: Apache-2.0

import Dispatch
public import PulseAudio
public import Rendering
import Synchronization

/// The devices of one sound server, followed as they come, change and go.
///
/// A server that goes away is waited for, as a renderer does. All members are thread-safe, and
/// return at once but for the initializer. The devices are followed for as long as this is kept.
public final class AudioDevices: @unchecked Sendable {
  // @unchecked: `known` is touched only between wait and signal of `semaphore`; `link` and
  // `connection` only on `queue`.
  private let server: String?
  private let applicationName: String
  private let mainloop: PulseMainloop
  private let queue = DispatchQueue(label: "attacca.devices")
  private let source = EventSource<AudioDeviceChange>()
  private let semaphore = DispatchSemaphore(value: 1)
  private var known: [AudioDevice] = []
  private var link = Reconnection(isConnected: true)
  private var connection: PulseConnection?
  /// Set from the server's word that something is new until it is looked at.
  private let isLookDue = Atomic<Bool>(false)

  /// The devices of a server as they are now; blocks for a few round trips.
  ///
  /// - Parameters:
  ///   - server: The server's address; nil for the user's own.
  ///   - applicationName: The name that the server knows the application by.
  /// - Returns: The devices in the server's order; none where it has none.
  /// - Throws: Where there is no server.
  public static func current(
    server: String? = nil, applicationName: String = "Attacca"
  ) throws(PulseError) -> [AudioDevice] {
    let connection = try PulseConnection(server: server, applicationName: applicationName)
    return try connection.sinks().map(AudioDevice.init)
  }

  /// Begins to follow the devices of a server; blocks until they are known.
  ///
  /// - Parameters:
  ///   - server: The server's address; nil for the user's own.
  ///   - applicationName: The name that the server knows the application by.
  /// - Throws: Where there is no server.
  public init(server: String? = nil, applicationName: String = "Attacca") throws(PulseError) {
    (self.server, self.applicationName) = (server, applicationName)
    mainloop = try PulseMainloop()
    let found = queue.sync {
      Result<[AudioDevice], PulseError> { () throws(PulseError) in
        let connection = try connect()
        self.connection = connection
        return try connection.sinks().map(AudioDevice.init)
      }
    }
    let devices = try found.get()
    semaphore.withLock { known = devices }
  }

  /// The devices as they are known now, in the server's order; none while there is no server.
  public var current: [AudioDevice] { semaphore.withLock { known } }

  /// The changes from now on; each caller has a sequence of its own.
  ///
  /// A list that is to miss nothing subscribes first, and then reads `current`.
  public var changes: EventSequence<AudioDeviceChange> { source.subscribe() }

  // MARK: The server

  /// Blocks until the server answers.
  private func connect() throws(PulseError) -> PulseConnection {
    let connection = try PulseConnection(
      mainloop: mainloop, server: server, applicationName: applicationName,
      onFailure: { [weak self] error in self?.queue.async { [weak self] in self?.lose(error) } })
    connection.onDevicesChanged(includingState: true) { [weak self] in self?.tell() }
    return connection
  }

  private func lose(_ error: PulseError) {
    guard connection != nil else { return }
    connection = nil
    source.send(.serverWasLost(error))
    show([])
    carryOut(link.lost())
  }

  private func carryOut(_ action: Reconnection.Action) {
    switch action {
    case .wait(let nanoseconds, let generation):
      queue.asyncAfter(deadline: .now() + .nanoseconds(Int(nanoseconds))) { [weak self] in
        guard let self else { return }
        carryOut(link.elapsed(generation))
      }
    case .open(let generation): open(generation)
    case .none, .use, .discard, .stay, .fail: break
    }
  }

  private func open(_ generation: Int) {
    do throws(PulseError) {
      let connection = try connect()
      self.connection = connection
      let devices = try connection.sinks().map(AudioDevice.init)
      _ = link.opened(generation)
      source.send(.serverReturned)
      show(devices)
    } catch {
      connection = nil
      let action = link.refused(generation, .init(error.reason))
      if action == .fail { source.send(.failed(error)) }
      carryOut(action)
    }
  }

  // MARK: The devices

  /// Has the devices looked at soon, once however often it is told.
  private func tell() {
    guard !isLookDue.exchange(true, ordering: .acquiringAndReleasing) else { return }
    queue.async { [weak self] in self?.look() }
  }

  private func look() {
    isLookDue.store(false, ordering: .sequentiallyConsistent)
    guard let connection else { return }
    do throws(PulseError) {
      show(try connection.sinks().map(AudioDevice.init))
    } catch {
      // A server that is gone tells so by itself. A sink that goes while it is asked about is told
      // next.
    }
  }

  private func show(_ devices: [AudioDevice]) {
    let old = semaphore.withLock {
      defer { known = devices }
      return known
    }
    for change in AudioDeviceChange.between(old, devices) { source.send(change) }
  }
}
