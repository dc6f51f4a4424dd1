// SPDX-License-Identifier: Apache-2.0

import Attacca

/// A player and the queue that clients see of it; one thread at a time, the service's.
///
/// The engine's playlist is the order of playing: the queue's own, or a random one. What is current is the engine's to
/// say; each change of the queue is one edit of its list, so that what is heard follows without a gap.
final class ServedPlayer {
  let player: SampleBufferPlayer
  var queue = PlayQueue()
  var modes = PlayModes()
  /// What went wrong last; nil where nothing did, and after `clearerror`.
  var error: String?
  /// Volume of the service, 0 to 100.
  private(set) var volume = 100
  /// False where the output has been switched off: playing goes on in silence.
  private(set) var isEnabled = true
  /// Called with the parts that have changed.
  var changed: (Set<Subsystem>) -> Void = { _ in }
  var random: any RandomNumberGenerator = SystemRandomNumberGenerator()
  /// Id of the song that playing stopped in, from which it begins again.
  var stoppedID: Int?
  /// Id of the song that was current when this was looked at last.
  private var seenID: Int?

  var playlist: Playlist { player.playlist }

  init(player: SampleBufferPlayer) { self.player = player }

  // MARK: Looking

  /// States of playing, by their names in the protocol.
  enum State: String { case play, pause, stop }

  var state: State {
    guard player.asked != nil else { return .stop }
    return player.isPlaying ? .play : .pause
  }

  /// Position of the song that is heard, or was when playing stopped; nil for none.
  var currentPosition: Int? {
    if let asked = player.asked { return queue.position(of: asked.item.id) }
    return stoppedID.flatMap(queue.position(of:))
  }

  var currentID: Int? {
    if let asked = player.asked { return queue.id(of: asked.item.id) }
    return stoppedID.flatMap { queue.position(of: $0) == nil ? nil : $0 }
  }

  /// Position of the song that follows, as far as the order says; nil where none does.
  var nextPosition: Int? {
    if modes.repeats, modes.single != .off { return currentPosition }
    return orderedNeighbour(by: 1).flatMap { queue.position(of: $0.id) }
  }

  /// The item so many behind the current one in the order of playing, as the list repeats.
  private func orderedNeighbour(by distance: Int) -> PlaylistItem? {
    guard let position = currentPosition else { return nil }
    let items = playlist.items
    guard let index = items.index(of: queue[position].item.id) else { return nil }
    if items.indices.contains(index + distance) { return items[index + distance] }
    guard modes.repeats else { return nil }
    return distance > 0 ? items[0] : items[items.count - 1]
  }

  // MARK: Playing

  func play(at position: Int? = nil) throws(CommandError) {
    guard let position else { return resume() }
    guard position < queue.count else { throw .badIndex }
    begin(at: position, offset: nil)
    player.play()
    settle(.jump)
  }

  func play(id: Int) throws(CommandError) {
    guard let position = queue.position(of: id) else { throw .noSuchSong }
    try play(at: position)
  }

  private func resume() {
    error = nil
    if player.asked == nil, let position = stoppedID.flatMap(queue.position(of:)) {
      begin(at: position, offset: nil)
    }
    if queue.count > 0 { player.play() }
    settle(.jump)
  }

  /// Goes to a place in a song; from stopped it is paused there.
  private func begin(at position: Int, offset: MediaTime?) {
    error = nil
    let id = queue[position].item.id
    if modes.isRandom, player.asked?.item.id != id { playNext(id) }
    guard let index = playlist.index(of: id) else { return }
    player.jump(to: index, offset: offset)
  }

  /// Has an item be the next one in a random order, or the first one, so that all others come behind it.
  private func playNext(_ id: PlaylistItem.ID) {
    let current = player.asked?.item.id
    edit { edits in edits.move(id, to: current.map { .after($0) } ?? .first) }
    guard let index = playlist.index(of: id), let number = queue.id(of: id) else { return }
    queue.note(.place(UInt32(number), orderedAt: index))
  }

  func pause(_ pauses: Bool? = nil) {
    switch (state, pauses) {
    case (.stop, _): return
    case (.play, nil), (.play, true?): player.pause()
    case (.pause, nil), (.pause, false?): player.play()
    case (.play, false?), (.pause, true?): return
    }
    changed([.player])
  }

  func stop() {
    if let id = currentID { stoppedID = id }
    let wasPlaying = player.asked != nil
    player.stop()
    seenID = nil
    guard wasPlaying else { return }
    // Another time, another order.
    if modes.isRandom { reorder() }
    changed([.player])
  }

  func next() throws(CommandError) {
    guard state != .stop else { throw .notPlaying }
    if player.repeatMode == .one, let next = orderedNeighbour(by: 1),
      let index = playlist.index(of: next.id)
    {
      player.jump(to: index)
    } else {
      player.next()
    }
    settle(.skip)
  }

  func previous() throws(CommandError) {
    guard state != .stop else { throw .notPlaying }
    let before = orderedNeighbour(by: -1) ?? player.asked?.item
    if let before, let index = playlist.index(of: before.id) { player.jump(to: index) }
    settle(.jump)
  }

  /// Goes to a moment of a song, and plays where it was stopped.
  func seek(at position: Int, to nanoseconds: Int64) throws(CommandError) {
    guard position < queue.count else { throw .badIndex }
    let wasStopped = state == .stop
    begin(at: position, offset: SongPart.time(nanoseconds))
    if wasStopped { player.play() }
    settle(.jump)
  }

  /// Goes to a moment of the current song, or so much on or back.
  func seekCurrent(to nanoseconds: Int64, isRelative: Bool) throws(CommandError) {
    guard state != .stop else { throw .notPlaying }
    if isRelative {
      player.seek(by: SongPart.time(nanoseconds))
    } else {
      player.seek(to: SongPart.time(nanoseconds))
    }
    changed([.player])
  }

  // MARK: What happens

  /// The reasons for which another song may be current.
  enum Change { case jump, skip, heard }

  /// Takes note of what is current now, and of what follows from it.
  func settle(_ change: Change) {
    let before = seenID
    var item = player.asked?.item
    if item == nil, let before {
      // Behind the last song it would go on by itself with the next one that is put in.
      player.stop()
      stoppedID = nil
      if change == .heard, modes.stopsAfterEach { item = pauseBehind(before) }
    }
    let id = item.flatMap { queue.id(of: $0.id) }
    if let id { stoppedID = id }
    seenID = id
    if id != before {
      if id != nil, modes.stopsAfterEach { player.stopAfterCurrent() }
      if let position = id.flatMap(queue.position(of:)), queue[position].priority > 0 {
        // It has had its turn.
        queue.setPriority(0, at: position)
        commit()
      }
      if change != .jump, let before { finish(before, isHeard: change == .heard) }
    }
    if id != before || change != .heard { changed([.player]) }
  }

  /// Stands paused at the beginning of the song behind one that was played alone.
  private func pauseBehind(_ id: Int) -> PlaylistItem? {
    let items = playlist.items
    guard let position = queue.position(of: id),
      let index = items.index(of: queue[position].item.id), index + 1 < items.count
    else { return nil }
    player.jump(to: index + 1)
    return items[index + 1]
  }

  /// A song has been left behind.
  private func finish(_ id: Int, isHeard: Bool) {
    if isHeard, modes.single == .oneshot {
      modes.single = .off
      applyModes()
      changed([.options])
    }
    guard modes.consume != .off, let position = queue.position(of: id) else { return }
    if modes.consume == .oneshot {
      modes.consume = .off
      changed([.options])
    }
    remove(position..<position + 1)
  }

  /// Takes an event of the player.
  func note(_ event: PlaybackEvent) {
    switch event {
    case .currentItemDidChange, .endOfQueue: settle(.heard)
    case .itemsDidFail(let failures):
      if let last = failures.last { error = "\(last)" }
      changed([.player])
    case .failed(let failure):
      error = "\(failure)"
      changed([.player])
    case .durationDidChange(let item, let duration): update(item, duration: duration)
    case .tagsDidChange(let item, let tags): update(item, tags: tags)
    case .rateDidChange, .waitingBegan, .waitingEnded, .didFallAsleep, .chapterDidChange:
      changed([.player])
    case .mediaServicesWereLost, .mediaServicesWereReset, .routeDidChange, .deviceRefused:
      changed([.output])
    case .itemDidFinish, .underrun, .outputDidChange, .interruptionBegan, .interruptionEnded,
      .outputVolumeDidChange, .pitchFollowsRate, .progress, .silenceSkipped:
      break
    }
  }

  private func update(_ item: PlaylistItem, duration: MediaTime) {
    guard let position = queue.position(of: item.id),
      let nanoseconds = SongPart.nanoseconds(duration)
    else { return }
    let song = queue[position].song
    guard song.nanoseconds == nil, song.range == nil else { return }
    queue.update(
      at: position,
      with: Song(
        uri: song.uri, values: song.values, nanoseconds: nanoseconds, modified: song.modified,
        format: song.format))
    commit()
  }

  private func update(_ item: PlaylistItem, tags: Tags) {
    guard let position = queue.position(of: item.id) else { return }
    let song = queue[position].song
    // A file's tags are the library's; those of a broadcast change.
    guard item.bytePath.isAddress else { return }
    queue.update(at: position, with: song.with(values: Song.values(of: tags)))
    commit()
    changed([.player])
  }

  /// Ends a change of the queue.
  func commit() {
    queue.commit()
    changed([.playlist])
  }

  // MARK: Options

  func setModes(_ body: (inout PlayModes) -> Void) {
    let before = modes
    body(&modes)
    guard modes != before else { return }
    if modes.isRandom != before.isRandom {
      if modes.isRandom, state == .stop { stoppedID = nil }
      reorder()
    }
    applyModes()
    changed([.options])
  }

  /// Has the engine follow the modes.
  func applyModes() {
    if player.repeatMode != modes.repeatMode { player.setRepeatMode(modes.repeatMode) }
    if player.stopsAfterCurrent != modes.stopsAfterEach {
      player.stopAfterCurrent(modes.stopsAfterEach)
    }
    player.crossfade =
      modes.crossfade > 0
      ? ItemCrossfade(duration: MediaTime(value: Int64(modes.crossfade), timescale: 1)) : nil
    player.loudnessNormalization.mode = modes.replayGain
    if player.defaultRate != modes.speed {
      player.defaultRate = modes.speed
      if player.isPlaying { player.play() }
    }
    let silence = modes.skipsSilence ? SilenceSkipping() : nil
    if player.silenceSkipping != silence { player.silenceSkipping = silence }
  }

  func setVolume(_ percent: Int) {
    guard percent != volume else { return }
    volume = percent
    // The cube, as the server's own volume: even steps for the ear.
    let part = Float(percent) / 100
    player.volume = part * part * part
    changed([.mixer])
  }

  func setEnabled(_ isEnabled: Bool) {
    guard isEnabled != self.isEnabled else { return }
    self.isEnabled = isEnabled
    player.isMuted = !isEnabled
    changed([.output])
  }

  /// Takes up the queue of an earlier process, in its order of playing.
  func restore(_ slots: [QueueSlot], order: [Int], current id: Int?) {
    queue.restore(slots)
    let items = Dictionary(uniqueKeysWithValues: slots.map { ($0.id, $0.item) })
    let ordered = order.compactMap { items[$0] }
    if modes.isRandom, ordered.count == slots.count {
      playlist.replaceAll(with: ordered)
    } else {
      reorder()
    }
    stoppedID = id
  }

  /// Goes on in a song where an earlier process was, or is paused there.
  func resume(_ id: Int, at nanoseconds: Int64, plays: Bool) {
    guard let position = queue.position(of: id),
      let index = playlist.index(of: queue[position].item.id)
    else { return }
    player.jump(to: index, offset: SongPart.time(nanoseconds))
    if plays { player.play() }
    // It was current before: it does not become so, which would take its priority.
    seenID = id
    if modes.stopsAfterEach { player.stopAfterCurrent() }
    settle(.jump)
  }
}
