// SPDX-License-Identifier: Apache-2.0

import Attacca

// What is kept of the service.
extension MusicServer {
  /// Where playing is now.
  private var place: KeptPlace {
    let offset = served.player.asked.flatMap { SongPart.nanoseconds($0.offset) }
    return KeptPlace(
      state: served.state.rawValue, id: served.currentID, nanoseconds: max(0, offset ?? 0))
  }

  /// The sleep timer that is set, as it was kept where it is the same.
  private var sleep: KeptSleep? {
    let player = served.player
    return player.sleepTimer.map {
      let sleep = KeptSleep($0, left: player.timeToSleep, at: WallClock.milliseconds)
      guard let last = kept.sleep, sleep.isSame(as: last) else { return sleep }
      return last
    }
  }

  /// All that is kept.
  var state: SavedState {
    let queue = served.queue
    let order =
      served.modes.isRandom
      ? served.playlist.items.compactMap { queue.id(of: $0.id).map { UInt32($0) } } : []
    return SavedState(
      slots: queue.slots, version: queue.version, order: order, modes: served.modes,
      volume: served.volume, isEnabled: served.isEnabled, place: place, sleep: sleep)
  }

  /// What has changed of it since this was asked last.
  func takeChanges() -> [StateChange] {
    var changes = served.queue.takeChanges()
    if served.modes != kept.modes { changes.append(.modes(served.modes)) }
    if served.volume != kept.volume { changes.append(.volume(served.volume)) }
    if served.isEnabled != kept.isEnabled { changes.append(.enabled(served.isEnabled)) }
    (kept.modes, kept.volume) = (served.modes, served.volume)
    kept.isEnabled = served.isEnabled
    let sleep = sleep
    if sleep != kept.sleep { changes.append(.sleep(sleep)) }
    kept.sleep = sleep
    // A song that is taken out may have been the current one.
    guard placeIsDue || !changes.isEmpty else { return changes }
    placeIsDue = false
    let place = place
    if place != kept.place { changes.append(.playing(place)) }
    kept.place = place
    return changes
  }

  /// Takes up what was kept.
  func restore(_ restored: RestoredState) {
    let state = restored.state
    guard state.version > 0 else { return }
    served.queue = PlayQueue(version: state.version)
    served.modes = state.modes
    let slots = restored.songs.map { kept in
      QueueSlot(id: kept.id, song: kept.song, item: item(kept.song), priority: kept.priority)
    }
    served.restore(slots, order: state.order.map { Int($0) }, current: state.place.id)
    served.setVolume(state.volume)
    served.setEnabled(state.isEnabled)
    served.applyModes()
    let timer = state.sleep?.timer(at: WallClock.milliseconds)
    kept.sleep = state.sleep
    defer { served.player.sleepTimer = timer }
    guard state.place.state != ServedPlayer.State.stop.rawValue, let id = state.place.id else {
      return
    }
    // Whoever has fallen asleep meanwhile is not to be woken.
    let isOver = state.sleep != nil && timer == nil
    let isPlaying = state.place.state == ServedPlayer.State.play.rawValue
    served.resume(id, at: state.place.nanoseconds, plays: isPlaying && !isOver)
  }
}
