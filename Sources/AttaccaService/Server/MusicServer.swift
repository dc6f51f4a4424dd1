// SPDX-License-Identifier: Apache-2.0

import Attacca
import Dispatch

/// The service: clients, and what they drive.
///
/// Everything of it happens on one serial queue, so that all commands of
/// all clients have one order.
final class MusicServer: @unchecked Sendable {
  // @unchecked: touched on `queue` only.
  let queue: DispatchQueue
  let served: ServedPlayer
  let library: MusicLibrary?
  let playlists: StoredPlaylists
  let stickers: StickerStore
  /// Makes what plays an address; nil of one that nothing plays.
  let source: (BytePath) -> (any AudioSource)?
  /// Name of the output, as "pulse" or "null".
  let outputName: String
  let pool = FramePool()
  var access = AccessRules()
  let startedAt = WallClock.seconds
  /// Called when a client asks for the end of the service.
  var ends: () -> Void = {}
  /// Called when something has changed that is to be kept.
  var keeps: () -> Void = {}
  /// What has been kept last, but for the queue.
  var kept = SavedState()
  /// True where the place may be another than the one that was kept.
  var placeIsDue = false

  private(set) var clients: [ObjectIdentifier: ServedClient] = [:]
  private var changes: Set<Subsystem> = []
  private var isBusy = false
  private var observation: EventObservation<PlaybackEvent>?
  /// Nanoseconds heard so far, and the moment since which more are being heard; nil while nothing is.
  private var heard: (nanoseconds: UInt64, since: UInt64?) = (0, nil)

  init(
    queue: DispatchQueue, player: SampleBufferPlayer, library: MusicLibrary?,
    playlists: StoredPlaylists, stickers: StickerStore, outputName: String,
    source: @escaping (BytePath) -> (any AudioSource)? = { _ in nil }
  ) {
    served = ServedPlayer(player: player)
    (self.queue, self.library, self.playlists) = (queue, library, playlists)
    (self.stickers, self.outputName, self.source) = (stickers, outputName, source)
    served.changed = { [weak self] in self?.change($0) }
    library?.told = { [weak self] in self?.note($0) }
    observation = player.events.observe(on: queue) { [weak self] event in
      // Held until all is told: the last other reference may go meanwhile.
      guard let self else { return }
      served.note(event)
      tellChanges()
    }
  }

  /// Commands by their names.
  static let commands: [String: ServedCommand] = Dictionary(
    uniqueKeysWithValues: [
      playbackCommands, queueCommands, optionCommands, statusCommands, libraryCommands,
      playlistCommands, stickerCommands, pictureCommands, connectionCommands, channelCommands,
      ownCommands,
    ].joined().map { ($0.name, $0) })

  // MARK: Clients

  func add(_ client: ServedClient) {
    clients[ObjectIdentifier(client)] = client
    client.send(Array("OK MPD 0.23.5\n".utf8))
  }

  func remove(_ client: ServedClient) {
    clients[ObjectIdentifier(client)] = nil
    if !client.options.channels.isEmpty { change([.subscription]) }
    tellChanges()
  }

  /// Takes bytes of a client, none where it goes on with those that are here.
  func receive(_ bytes: UnsafeRawBufferPointer, from client: ServedClient) {
    client.lines.append(bytes)
    while !client.isClosing, client.takesMore() {
      if client.running != nil {
        client.aliveAt = HostTime.now()
        goOn(with: client)
      } else if let line = client.lines.next() {
        client.aliveAt = HostTime.now()
        carryOut(
          line.count > LineBuffer.longest
            ? client.state.receiveTooLong() : client.state.receive(line), for: client)
      } else {
        break
      }
    }
    if !client.isClosing, client.running == nil, client.lines.isTooLong {
      carryOut(client.state.receiveTooLong(), for: client)
    }
    tellChanges()
  }

  private func carryOut(_ action: ClientState.Action, for client: ServedClient) {
    switch action {
    case .none: break
    case .reply(let text): client.send(Array(text.utf8))
    case .close(let text):
      client.send(Array(text.utf8))
      leave(client)
    case .run(let lines, let tellsEach):
      client.running = RunningCommands(lines: lines, tellsEach: tellsEach)
      goOn(with: client)
    }
  }

  func leave(_ client: ServedClient) {
    client.isClosing = true
    client.close()
  }

  /// Carries out commands of a client, as many as there is room for the answers of.
  private func goOn(with client: ServedClient) {
    guard var running = client.running.take() else { return }
    var reply = Reply()
    while running.isUnfinished {
      let length = reply.bytes.count
      do throws(CommandError) {
        if running.rest != nil {
          try reply.goOn(with: running.rest.take())
        } else {
          try run(running.begin(), &running.name, for: client, &reply)
        }
      } catch {
        reply.cut(to: length)
        reply.text(error.line(index: running.index, command: running.name))
        return client.send(reply.bytes)
      }
      if client.isClosing || client.state.isIdle {
        // `idle` says itself when it is over.
        return client.send(reply.bytes)
      }
      running.rest = reply.rest.take()
      if running.rest == nil, running.tellsEach { reply.text("list_OK\n") }
      guard running.rest != nil || reply.bytes.count >= Reply.piece else { continue }
      // What a client asks for is made as it is taken.
      client.send(reply.bytes)
      reply = Reply()
      guard client.takesMore() else {
        client.running = running
        return
      }
    }
    reply.text("OK\n")
    client.send(reply.bytes)
  }

  private func run(
    _ line: [UInt8], _ name: inout String, for client: ServedClient, _ reply: inout Reply
  ) throws(CommandError) {
    let words = try CommandWords(line)
    guard let command = Self.commands[words.name] else {
      throw CommandError(.unknown, "unknown command \"\(words.name)\"")
    }
    name = command.name
    let arguments = CommandArguments(words.arguments)
    try command.check(arguments, client.options.permissions)
    // A song may have ended a moment ago.
    served.settle(.heard)
    try command.body(self, client, arguments, &reply)
  }

  // MARK: Changes

  /// Notes that parts have changed; clients are told when the command is over.
  func change(_ subsystems: Set<Subsystem>) {
    changes.formUnion(subsystems)
    guard subsystems.contains(.player) else { return }
    measure()
    placeIsDue = true
  }

  func tellChanges() {
    guard !changes.isEmpty else { return }
    let due = changes
    changes = []
    for client in clients.values {
      if let text = client.state.note(due) { client.send(Array(text.utf8)) }
    }
    keeps()
  }

  private func note(_ told: MusicLibrary.Told) {
    switch told {
    case .began: change([.update])
    case .ended(let changed):
      change(changed > 0 ? [.update, .database] : [.update])
      if changed > 0 { refreshQueue() }
    case .failed(let error):
      served.error = "\(error)"
      change([.update])
    }
    tellChanges()
  }

  /// Has songs of the queue say what the library says now.
  private func refreshQueue() {
    guard let library, served.queue.count > 0 else { return }
    var found: [String: Song] = [:]
    for slot in served.queue.slots where found[slot.song.uri] == nil {
      do throws(StoreError) {
        found[slot.song.uri] = try library.index.song(slot.song.uri)
      } catch {
        served.error = "\(error)"
        return
      }
    }
    served.update(found)
  }

  // MARK: Time heard

  private func measure() {
    let now = HostTime.now()
    if let since = heard.since { heard.nanoseconds += now - since }
    heard.since = served.state == .play ? now : nil
  }

  /// Seconds that have been heard since the service began.
  var secondsHeard: Int {
    measure()
    return Int(heard.nanoseconds / 1_000_000_000)
  }

  /// Does `body` with the store, whose refusals are the command's.
  func stored<R>(_ body: () throws(StoreError) -> R) throws(CommandError) -> R {
    do throws(StoreError) {
      return try body()
    } catch {
      throw CommandError(.system, "\(error)")
    }
  }
}
