// SPDX-License-Identifier: Apache-2.0

import Attacca
import Dispatch

/// Keeps the state of a service: each change in the journal before it is answered, and all of it from time to time.
///
/// Where the journal cannot be written, as on a full disk, the service goes on without, says so, and tries once a second to
/// write all of its state; from then on each change is kept again.
final class StateKeeper: @unchecked Sendable {
  // @unchecked: `store` is touched on `writer` only, the journal and `isOpen` by whoever calls `keep`, the rest on the
  // service's queue only.
  private let store: StateStore
  private let journal: StateJournal
  private let server: MusicServer
  private let folder: String
  /// Queue of the database.
  let writer = DispatchQueue(label: "attacca.state", qos: .utility)
  /// Called when what changes cannot be kept, and with nil when it is again.
  private let told: @Sendable (StoreError?) -> Void
  /// Called on the service's queue when there is something to keep that no client has asked for.
  var rings: () -> Void = {}
  private var timer: (any DispatchSourceTimer)?
  /// Number of the last entry.
  private var sequence: UInt64
  /// Songs and changes behind the state that was written last.
  private var weight = 0
  private var isWriting = false
  /// Number of the last entry that is not in the journal: what is behind it means nothing without the state as a whole.
  private var gap: UInt64?
  /// False where the journal takes no entries, as far as is known on the queue.
  private var hasJournal = true
  private var isFailing = false
  /// True for a second behind a failure.
  private var isResting = false
  /// True where the journal takes entries.
  private var isOpen = true

  /// Weight of a journal from which on all of the state is written.
  private let heavy: Int

  /// The keeper of a server whose state has been restored from a database and a journal, of which its folder has the files.
  ///
  /// A journal of the weight of 10,000 is read in a tenth of a second.
  init(
    _ server: MusicServer, _ store: StateStore, folder: String, _ restored: RestoredState,
    heavy: Int = 10_000,
    told: @escaping @Sendable (StoreError?) -> Void
  ) throws(StoreError) {
    (self.server, self.store, self.folder, self.told) = (server, store, folder, told)
    self.heavy = heavy
    sequence = restored.state.sequence
    weight = restored.entries
    journal = StateJournal(folder: folder)
    StateJournal.removeFiles(in: folder, from: sequence + 1)
    try journal.begin(at: sequence + 1)
    server.keeps = { [weak self] in
      self?.follow()
      self?.rings()
    }
  }

  // MARK: Turns

  /// What is to be kept now; on the service's queue.
  func take() -> KeptTurn {
    var turn = KeptTurn()
    let changes = server.takeChanges()
    if !changes.isEmpty {
      sequence += 1
      turn.entry = JournalEntry(
        sequence: sequence, version: server.served.queue.version, changes: changes)
      weight += changes.reduce(0) { $0 + $1.weight }
    }
    guard !isWriting, !isResting, gap != nil || !hasJournal || weight >= heavy else { return turn }
    turn.state = server.state
    turn.state?.sequence = sequence
    (isWriting, weight) = (true, 0)
    return turn
  }

  /// Keeps what a turn has changed; not on the service's queue, and one turn behind the other.
  func keep(_ turn: KeptTurn) {
    if let entry = turn.entry { append(entry) }
    guard let state = turn.state else { return }
    do throws(StoreError) {
      try journal.begin(at: state.sequence + 1)
      isOpen = true
      server.queue.sync { hasJournal = true }
    } catch {
      isOpen = false
      server.queue.sync {
        hasJournal = false
        note(error)
      }
    }
    writer.async { [self] in write(state) }
  }

  private func append(_ entry: JournalEntry) {
    do throws(StoreError) {
      if isOpen { return try journal.append(entry) }
      server.queue.sync { lose(entry.sequence) }
    } catch {
      isOpen = false
      server.queue.sync {
        note(error)
        lose(entry.sequence)
      }
    }
  }

  private func lose(_ sequence: UInt64) {
    (gap, hasJournal) = (sequence, false)
    tryAgainSoon()
  }

  private func note(_ error: StoreError) {
    guard !isFailing else { return }
    isFailing = true
    server.served.error = "\(error)"
    told(error)
  }

  private func write(_ state: SavedState) {
    do throws(StoreError) {
      try store.write(state)
      StateJournal.removeFiles(in: folder, before: state.sequence + 1)
      server.queue.async { [self] in end(at: state.sequence) }
    } catch {
      server.queue.async { [self] in
        note(error)
        isWriting = false
        if gap != nil { tryAgainSoon() }
      }
    }
  }

  /// The state up to an entry is in the database.
  private func end(at sequence: UInt64) {
    isWriting = false
    if let gap, gap > sequence { return tryAgainSoon() }
    gap = nil
    guard hasJournal else { return tryAgainSoon() }
    guard isFailing else { return }
    isFailing = false
    told(nil)
  }

  private func tryAgainSoon() {
    guard !isResting else { return }
    isResting = true
    server.queue.asyncAfter(deadline: .now() + .seconds(1)) { [weak self] in
      self?.isResting = false
      self?.rings()
    }
  }

  // MARK: Place

  /// Has where it is be written while it moves.
  private func follow() {
    let isPlaying = server.served.state == .play
    guard isPlaying != (timer != nil) else { return }
    timer = nil
    guard isPlaying else { return }
    let timer = DispatchSource.makeTimerSource(queue: server.queue)
    timer.schedule(
      deadline: .now() + .milliseconds(500), repeating: .milliseconds(500),
      leeway: .milliseconds(50))
    timer.setEventHandler { [weak self] in
      self?.server.placeIsDue = true
      self?.follow()
      self?.rings()
    }
    timer.resume()
    self.timer = timer
  }

  // MARK: End

  /// Writes all of it, and waits for that; on the service's queue, when nobody calls `keep` any more.
  func finish() {
    timer = nil
    server.placeIsDue = true
    let entry = take().entry
    var state = server.state
    state.sequence = sequence
    writer.sync {
      do throws(StoreError) {
        if let entry, isOpen { try journal.append(entry) }
        try store.write(state)
        StateJournal.removeFiles(in: folder, from: 0)
      } catch {
        told(error)
      }
    }
  }
}

extension StateChange {
  /// Songs that the change writes, and one.
  fileprivate var weight: Int {
    switch self {
    case .insert(let songs, _): 1 + songs.count
    case .order(let ids), .arrange(let ids, _): 1 + ids.count / 32
    default: 1
    }
  }
}
