// SPDX-License-Identifier: Apache-2.0

public import Attacca
import Dispatch
import Glibc
import MediaTime

/// A player without a terminal: it speaks MPD's protocol to any number of clients, and keeps its state.
///
/// All that clients ask for happens on one serial queue. The members here are for one thread, the one that made it.
public final class MusicDaemon: @unchecked Sendable {
  // @unchecked: what is mutable is touched on `queue` only.
  private let queue = DispatchQueue(label: "attacca.service")
  private let server: MusicServer
  private let keeper: StateKeeper
  private var sockets: [SocketAddress: ListeningSocket] = [:]
  private let loop: ClientLoop
  /// A folder that goes with the service; nil where what is kept lies where it should.
  private let passingFolder: String?
  private var limits = DaemonSettings.Limits()
  private var watchdog: (any DispatchSourceTimer)?
  /// True where a look at clients that send nothing is to come.
  private var isLeaving = false
  private let log: @Sendable (DaemonNotice) -> Void

  /// A service that plays through `renderer`.
  ///
  /// - Parameters:
  ///   - settings: Without a `complaint`.
  ///   - renderer: The output, which belongs to the service from now on.
  ///   - outputName: Its kind, as clients are told: "pulse" or "null".
  ///   - source: What plays an address; nil of one that nothing plays.
  ///   - log: Takes what there is to tell, on any thread.
  ///   - ends: Called when a client has asked for the end of the service, on a thread of its own.
  /// - Throws: Where the state or the index can be opened neither in their folder nor in one of `/tmp`.
  public init(
    _ settings: DaemonSettings, renderer: AudioRenderer, outputName: String,
    source: @escaping @Sendable (BytePath) -> (any AudioSource)?,
    log: @escaping @Sendable (DaemonNotice) -> Void, ends: @escaping @Sendable () -> Void
  ) throws(StoreError) {
    self.log = log
    let files = try KeptFiles.open(settings, queue: queue, log: log)
    passingFolder = files.folder == settings.stateFolder ? nil : files.folder
    server = MusicServer(
      queue: queue, player: SampleBufferPlayer(renderer: renderer), library: files.library,
      playlists: StoredPlaylists(folder: settings.playlistFolder), stickers: files.stickers,
      outputName: outputName, source: source)
    server.access = settings.access
    server.ends = ends
    keeper = try StateKeeper(server, files.store, folder: files.folder, files.restored) { error in
      log(
        error.map { DaemonNotice(.error, "\($0); changes are not kept") }
          ?? DaemonNotice(.warning, "changes are kept again"))
    }
    loop = ClientLoop(queue: queue, keeper: keeper)
    queue.sync { [server, keeper, loop] in
      keeper.rings = { [weak loop] in loop?.ring() }
      server.restore(files.restored)
    }
  }

  /// Listens at the addresses of `settings`, and brings the index up to date.
  ///
  /// - Returns: Addresses that cannot be listened at.
  public func listen(_ settings: DaemonSettings) -> [SocketError] {
    queue.sync {
      server.access = settings.access
      limits = settings.limits
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
    guard loop.count < limits.connections else {
      log(DaemonNotice(.warning, "more than \(limits.connections) connections"))
      Glibc.close(descriptor)
      return
    }
    let connection = ClientConnection(descriptor, loop: loop, most: limits.outputBytes)
    let options = ClientOptions(
      permissions: server.access.permissions(isLocal: isLocal), isLocal: isLocal)
    let client = ServedClient(options: options) { [weak connection] in
      connection?.send($0)
    } takesMore: { [weak connection] in
      connection?.takesMore ?? false
    } close: { [weak connection] in
      connection?.close()
    }
    connection.received = { [weak self] bytes in
      self?.server.receive(bytes, from: client)
      return client.isBehind
    }
    connection.ended = { [weak self] in self?.server.remove(client) }
    server.add(client)
    leaveLater()
  }

  /// Leaves clients that have neither sent a command nor read an answer for too long, and wait for nothing.
  private func leaveLater() {
    guard !isLeaving, limits.silence > 0 else { return }
    isLeaving = true
    queue.asyncAfter(deadline: .now() + .seconds(limits.silence)) { [weak self] in
      guard let self else { return }
      isLeaving = false
      let limit = UInt64(limits.silence) * 1_000_000_000
      let now = HostTime.now()
      for client in server.clients.values
      where !client.state.isIdle && now - client.aliveAt >= limit { server.leave(client) }
      if loop.count > 0 { leaveLater() }
    }
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
    }
    loop.stop()
    queue.sync {
      keeper.finish()
      server.keeps = {}
      server.served.player.pause()
    }
    if let passingFolder { KeptFiles.remove(passingFolder) }
  }
}
