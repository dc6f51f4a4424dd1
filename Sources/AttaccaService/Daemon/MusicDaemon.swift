// SPDX-License-Identifier: Apache-2.0

public import Attacca
import Dispatch
import Glibc

/// A player without a terminal: it speaks MPD's protocol to any number of clients, and keeps its state.
///
/// All that clients ask for happens on one serial queue. The members here are for one thread, the one that made it.
public final class MusicDaemon: @unchecked Sendable {
  // @unchecked: what is mutable is touched on `queue` only.
  private let queue = DispatchQueue(label: "attacca.service")
  private let server: MusicServer
  private let keeper: StateKeeper
  private var sockets: [SocketAddress: ListeningSocket] = [:]
  /// By their descriptors, each of which is closed when its connection has gone from here.
  private var connections: [Int32: ClientConnection] = [:]
  private var watchdog: (any DispatchSourceTimer)?
  private let log: @Sendable (DaemonNotice) -> Void

  /// Connections at a time, at most, as MPD's `max_connections`.
  private static let mostConnections = 100

  /// A service that plays through `renderer`.
  ///
  /// - Parameters:
  ///   - settings: Without a `complaint`.
  ///   - renderer: The output, which belongs to the service from now on.
  ///   - outputName: Its kind, as clients are told: "pulse" or "null".
  ///   - source: What plays an address; nil of one that nothing plays.
  ///   - log: Takes what there is to tell, on any thread.
  ///   - ends: Called when a client has asked for the end of the service, on a thread of its own.
  /// - Throws: Where the state or the index cannot be opened.
  public init(
    _ settings: DaemonSettings, renderer: AudioRenderer, outputName: String,
    source: @escaping @Sendable (BytePath) -> (any AudioSource)?,
    log: @escaping @Sendable (DaemonNotice) -> Void, ends: @escaping @Sendable () -> Void
  ) throws(StoreError) {
    self.log = log
    let path = settings.stateFolder + "/service.sqlite"
    let store = try StateStore(path: path)
    let stickers = try StickerStore(StateDatabase(path: path))
    var library: MusicLibrary?
    if let root = settings.musicFolder {
      library = try MusicLibrary(
        root: root, path: settings.stateFolder + "/library.sqlite", queue: queue)
    }
    server = MusicServer(
      queue: queue, player: SampleBufferPlayer(renderer: renderer), library: library,
      playlists: StoredPlaylists(folder: settings.playlistFolder), stickers: stickers,
      outputName: outputName, source: source)
    server.access = settings.access
    server.ends = ends
    keeper = StateKeeper(server, store) { log(DaemonNotice(.error, "\($0)")) }
    let (slots, state) = try store.read()
    queue.sync { server.restore(slots, state) }
  }

  /// Listens at the addresses of `settings`, and brings the index up to date.
  ///
  /// - Returns: Addresses that cannot be listened at.
  public func listen(_ settings: DaemonSettings) -> [SocketError] {
    queue.sync {
      server.access = settings.access
      for address in sockets.keys where !settings.addresses.contains(address) {
        sockets[address] = nil
      }
      var errors: [SocketError] = []
      for address in settings.addresses where sockets[address] == nil {
        do throws(SocketError) {
          sockets[address] = try ListeningSocket(address, queue: queue) {
            [weak self] descriptor, isLocal in
            guard let self else {
              Glibc.close(descriptor)
              return
            }
            accept(descriptor, isLocal)
          }
          log(DaemonNotice(.information, "listening at \(address)"))
        } catch {
          errors.append(error)
        }
      }
      do throws(CommandError) {
        _ = try server.library?.update("", isComplete: false)
      } catch {
        // So many scans wait that one more finds nothing new.
      }
      return errors
    }
  }

  private func accept(_ descriptor: Int32, _ isLocal: Bool) {
    guard connections.count < Self.mostConnections else {
      log(DaemonNotice(.warning, "more than \(Self.mostConnections) connections"))
      Glibc.close(descriptor)
      return
    }
    var client: ServedClient!
    let connection = ClientConnection(descriptor, queue: queue) { [weak self] bytes in
      self?.server.receive(bytes, from: client)
    } ended: { [weak self] in
      self?.server.remove(client)
      self?.connections[descriptor] = nil
    }
    let options = ClientOptions(
      permissions: server.access.permissions(isLocal: isLocal), isLocal: isLocal)
    client = ServedClient(options: options) { [weak connection] in
      connection?.send($0)
    } takesMore: { [weak connection] in
      connection?.takesMore ?? false
    } close: { [weak connection] in
      connection?.close()
    }
    connections[descriptor] = connection
    server.add(client)
  }

  /// Begins to tell the system's manager of services that all is well, where it asks for that.
  public func beginWatchdog() {
    guard let interval = SystemNotice.watchdogInterval else { return }
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now(), repeating: interval)
    // On the queue of the commands: where that hangs, the manager begins the service anew.
    timer.setEventHandler { SystemNotice.send("WATCHDOG=1") }
    timer.resume()
    queue.sync { watchdog = timer }
  }

  /// Leaves all clients, pauses what is heard, and writes the state; waits for that.
  public func close() {
    queue.sync {
      watchdog = nil
      sockets = [:]
      keeper.finish()
      server.keeps = {}
      for connection in connections.values { connection.drop() }
      server.served.player.pause()
    }
  }
}
