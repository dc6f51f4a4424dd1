// SPDX-License-Identifier: Apache-2.0

import Attacca

/// State of the service in a database, as a whole; what has changed since is the journal's.
///
/// One thread at a time.
final class StateStore {
  private let database: StateDatabase
  /// Version of the queue that has been written last; nil for none.
  private var writtenVersion: UInt32?
  private var writtenOrder: [UInt32] = []

  init(path: String) throws(StoreError) {
    database = try StateDatabase(path: path)
    try database.run("PRAGMA journal_mode = WAL")
    // The journal's files before it go when it is written: it has to be on the disk by then.
    try database.run("PRAGMA synchronous = FULL")
    try database.run(
      """
      CREATE TABLE IF NOT EXISTS slot (place INTEGER PRIMARY KEY, id INTEGER NOT NULL,
      uri TEXT NOT NULL, tags TEXT NOT NULL, nanoseconds INTEGER, modified INTEGER, format TEXT,
      start INTEGER, stop INTEGER, priority INTEGER NOT NULL)
      """)
    try database.run(
      "CREATE TABLE IF NOT EXISTS setting (name TEXT PRIMARY KEY, value) WITHOUT ROWID")
  }

  /// Writes all that has changed.
  func write(_ state: SavedState) throws(StoreError) {
    try database.transaction { () throws(StoreError) in
      for (place, slot) in state.slots.enumerated()
      where writtenVersion.map({ slot.version >= $0 }) ?? true {
        try database.run(
          "INSERT OR REPLACE INTO slot VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
          [
            .integer(place), .integer(slot.id), .text(slot.song.uri),
            .text(SongText.text(of: slot.song.values)), .integer(slot.song.nanoseconds),
            .integer(slot.song.modified), .text(slot.song.format),
            .integer(slot.song.range?.start), .integer(slot.song.range?.end),
            .integer(slot.priority),
          ])
      }
      try database.run("DELETE FROM slot WHERE place >= ?", [.integer(state.slots.count)])
      if state.order != writtenOrder {
        try set("order", .text(state.order.map { "\($0)" }.joined(separator: " ")))
      }
      let modes = state.modes
      try set("version", .integer(Int(state.version)))
      try set("repeat", .integer(modes.repeats ? 1 : 0))
      try set("random", .integer(modes.isRandom ? 1 : 0))
      try set("single", .text(modes.single.rawValue))
      try set("consume", .text(modes.consume.rawValue))
      try set("crossfade", .integer(modes.crossfade))
      try set("mixrampdb", .real(modes.mixRampDecibels))
      try set("mixrampdelay", modes.mixRampDelay.map { .real($0) } ?? .null)
      try set("replaygain", .text(modes.replayGain.rawValue))
      try set("speed", .real(modes.speed))
      try set("silence", .integer(modes.skipsSilence ? 1 : 0))
      try set("volume", .integer(state.volume))
      try set("enabled", .integer(state.isEnabled ? 1 : 0))
      try set("state", .text(state.place.state))
      try set("current", state.place.id.map { .integer($0) } ?? .null)
      try set("position", .integer(state.place.nanoseconds))
      try set("sleep", state.sleep.map { .text($0.text) } ?? .null)
      try set("sequence", .integer(Int(state.sequence)))
    }
    (writtenVersion, writtenOrder) = (state.version, state.order)
  }

  private func set(_ name: String, _ value: StoredValue) throws(StoreError) {
    try database.run("INSERT OR REPLACE INTO setting VALUES (?, ?)", [.text(name), value])
  }

  /// The state that was written last.
  func read() throws(StoreError) -> RestoredState {
    let songs = try database.rows(
      """
      SELECT id, uri, tags, nanoseconds, modified, format, start, stop, priority FROM slot
      ORDER BY place
      """
    ) { row in
      let part = SongPart(kept: row.optionalInteger(6), to: row.optionalInteger(7))
      let song = Song(
        uri: row.text(1), values: SongText.values(of: row.text(2)),
        nanoseconds: row.optionalInteger(3), modified: row.optionalInteger(4),
        format: row.optionalText(5), range: part)
      return KeptSong(
        id: Int(UInt32(clamping: row.integer(0))), song: song,
        priority: Int(UInt8(clamping: row.integer(8))))
    }
    var state = SavedState()
    try database.each("SELECT name, value FROM setting") { Self.read($0, into: &state) }
    var restored = RestoredState()
    (restored.songs, restored.state) = (songs, state)
    return restored
  }

  private static func read(_ row: StoredRow, into state: inout SavedState) {
    let isNull = row.isNull(1)
    switch row.text(0) {
    case "order": state.order = row.text(1).split(separator: " ").compactMap { UInt32($0) }
    case "version": state.version = UInt32(clamping: row.integer(1))
    case "repeat": state.modes.repeats = row.integer(1) != 0
    case "random": state.modes.isRandom = row.integer(1) != 0
    case "single": state.modes.single = OneShot(rawValue: row.text(1)) ?? .off
    case "consume": state.modes.consume = OneShot(rawValue: row.text(1)) ?? .off
    case "crossfade":
      state.modes.crossfade = PlayModes.nearestCrossfade(to: Int(row.integer(1)))
    case "mixrampdb": state.modes.mixRampDecibels = row.real(1)
    case "mixrampdelay": state.modes.mixRampDelay = isNull ? nil : row.real(1)
    case "replaygain":
      state.modes.replayGain = LoudnessNormalization.Mode(rawValue: row.text(1)) ?? .off
    case "speed": if PlayModes.speeds.contains(abs(row.real(1))) { state.modes.speed = row.real(1) }
    case "silence": state.modes.skipsSilence = row.integer(1) != 0
    case "volume": state.volume = min(max(Int(row.integer(1)), 0), 100)
    case "enabled": state.isEnabled = row.integer(1) != 0
    case "state": state.place.state = row.text(1)
    case "current": state.place.id = isNull ? nil : Int(row.integer(1))
    case "position": state.place.nanoseconds = max(0, row.integer(1))
    case "sleep": state.sleep = KeptSleep(text: row.text(1))
    case "sequence": state.sequence = UInt64(max(0, row.integer(1)))
    default: break
    }
  }
}
