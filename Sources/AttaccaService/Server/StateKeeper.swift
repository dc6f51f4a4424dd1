// SPDX-License-Identifier: Apache-2.0

import Attacca
import Dispatch

/// Keeps the state of a service: all of it a moment after a change, and twice a second where it is playing.
///
/// Touched on the service's queue; it writes on a queue of its own.
final class StateKeeper: @unchecked Sendable {
  // @unchecked: `store` is touched on `writer` only, the rest on the service's queue only.
  private let store: StateStore
  private let server: MusicServer
  private let writer = DispatchQueue(label: "attacca.state", qos: .utility)
  private let failed: @Sendable (StoreError) -> Void
  private var isDue = false
  private var timer: (any DispatchSourceTimer)?

  /// Commands that come in a row are written as one.
  private static let delay = DispatchTimeInterval.milliseconds(100)

  init(
    _ server: MusicServer, _ store: StateStore, failed: @escaping @Sendable (StoreError) -> Void
  ) {
    (self.server, self.store, self.failed) = (server, store, failed)
    server.keeps = { [weak self] in self?.keepSoon() }
  }

  private func keepSoon() {
    follow()
    guard !isDue else { return }
    isDue = true
    server.queue.asyncAfter(deadline: .now() + Self.delay) { [weak self] in self?.keep() }
  }

  private func keep() {
    isDue = false
    let state = server.state
    writer.async { [self] in attempt { () throws(StoreError) in try store.write(state) } }
  }

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
    timer.setEventHandler { [weak self] in self?.keepPlace() }
    timer.resume()
    self.timer = timer
  }

  private func keepPlace() {
    follow()
    let place = server.place
    writer.async { [self] in attempt { () throws(StoreError) in try store.write(place) } }
  }

  /// Writes all of it, and waits for that; on the service's queue, at its end.
  func finish() {
    timer = nil
    let state = server.state
    writer.sync { attempt { () throws(StoreError) in try store.write(state) } }
  }

  private func attempt(_ body: () throws(StoreError) -> Void) {
    do throws(StoreError) { try body() } catch { failed(error) }
  }
}

extension MusicServer {
  /// Where playing is now.
  var place: SavedState.Place {
    let offset = served.player.asked.flatMap { SongPart.nanoseconds($0.offset) }
    return SavedState.Place(
      state: served.state.rawValue, id: served.currentID, nanoseconds: max(0, offset ?? 0))
  }

  /// All that is kept.
  var state: SavedState {
    let queue = served.queue
    let order =
      served.modes.isRandom ? served.playlist.items.compactMap { queue.id(of: $0.id) } : []
    return SavedState(
      slots: queue.slots, version: queue.version, order: order, modes: served.modes,
      volume: served.volume, isEnabled: served.isEnabled, place: place)
  }

  /// Takes up what was kept.
  func restore(_ slots: [StateStore.SavedSlot], _ state: SavedState) {
    guard state.version > 0 else { return }
    served.queue = PlayQueue(version: state.version)
    served.modes = state.modes
    let restored = slots.map { slot in
      QueueSlot(id: slot.id, song: slot.song, item: item(slot.song), priority: slot.priority)
    }
    served.restore(restored, order: state.order, current: state.place.id)
    served.setVolume(state.volume)
    served.setEnabled(state.isEnabled)
    served.applyModes()
    guard state.place.state != ServedPlayer.State.stop.rawValue, let id = state.place.id else {
      return
    }
    served.resume(
      id, at: state.place.nanoseconds, plays: state.place.state == ServedPlayer.State.play.rawValue)
  }
}
