// SPDX-License-Identifier: Apache-2.0

import Attacca

// Commands that tell how things are.
extension MusicServer {
  static let statusCommands: [ServedCommand] = [
    ServedCommand("status", .read, 0) { server, _, _, reply throws(CommandError) in
      server.tellStatus(&reply)
    },
    ServedCommand("currentsong", .read, 0) { server, client, _, reply throws(CommandError) in
      if let position = server.served.currentPosition {
        reply.slot(server.served.queue[position], at: position, tags: client.options.tags)
      }
    },
    ServedCommand("stats", .read, 0) { server, _, _, reply throws(CommandError) in
      try server.tellStatistics(&reply)
    },
    ServedCommand("clearerror", .player, 0) { server, _, _, _ throws(CommandError) in
      server.served.error = nil
      server.change([.player])
    },
    ServedCommand("idle", .read, 0...) { _, client, arguments, reply throws(CommandError) in
      let asked = try Subsystem.named(arguments)
      let waits = asked.isEmpty ? Set(Subsystem.allCases) : asked
      if let text = client.state.wait(for: waits) { reply.text(text) }
    },
  ]

  private func tellStatus(_ reply: inout Reply) {
    let (modes, queue) = (served.modes, served.queue)
    reply.pair("volume", served.volume)
    reply.pair("repeat", modes.repeats)
    reply.pair("random", modes.isRandom)
    reply.pair("single", modes.single.rawValue)
    reply.pair("consume", modes.consume.rawValue)
    reply.pair("partition", "default")
    reply.pair("playlist", Int(queue.version))
    reply.pair("playlistlength", queue.count)
    reply.pair("mixrampdb", Self.short(modes.mixRampDecibels))
    let state = served.state
    reply.pair("state", state.rawValue)
    if modes.crossfade > 0 { reply.pair("xfade", modes.crossfade) }
    if let delay = modes.mixRampDelay, delay > 0 { reply.pair("mixrampdelay", Self.short(delay)) }
    if let position = served.currentPosition {
      reply.pair("song", position)
      reply.pair("songid", queue[position].id)
      if state != .stop { tellTime(of: queue[position], &reply) }
    }
    if let job = library?.jobNumber { reply.pair("updating_db", job) }
    if let error = served.error { reply.pair("error", error) }
    if let next = served.nextPosition {
      reply.pair("nextsong", next)
      reply.pair("nextsongid", queue[next].id)
    }
  }

  private func tellTime(of slot: QueueSlot, _ reply: inout Reply) {
    // Never below zero, as in the silence in front of an item.
    let elapsed = max(0, served.player.asked?.offset.seconds ?? 0)
    let duration = slot.song.playedNanoseconds.map { $0 / 1_000_000 }
    reply.pair("time", "\(Int(elapsed.rounded())):\(((duration ?? 0) + 500) / 1_000)")
    reply.pair("elapsed", Decimal.text(elapsed, places: 3))
    reply.pair("bitrate", bitRate(of: slot.song) ?? 0)
    if let duration { reply.pair("duration", Decimal.text(milliseconds: duration)) }
    if let format = slot.song.format { reply.pair("audio", format) }
  }

  /// Thousands of bits a second, of frames as they are: a file's own rate changes from moment to moment.
  private func bitRate(of song: Song) -> Int? {
    guard let parts = song.format?.split(separator: ":"), parts.count == 3,
      let rate = Int(parts[0]),
      let bits = Int(parts[1]), let channels = Int(parts[2])
    else { return nil }
    return rate * bits * channels / 1_000
  }

  private static func short(_ value: Double) -> String {
    let text = Decimal.text(value, places: 6)
    guard text.contains(".") else { return text }
    let digits = text.reversed().drop { $0 == "0" }.drop { $0 == "." }
    return String(digits.reversed())
  }

  private func tellStatistics(_ reply: inout Reply) throws(CommandError) {
    let numbers = try library.map { library throws(CommandError) in
      try stored { () throws(StoreError) in try library.index.statistics() }
    }
    reply.pair("uptime", Int(WallClock.seconds - startedAt))
    reply.pair("playtime", secondsHeard)
    guard let numbers, let library else { return }
    reply.pair("artists", numbers.artists)
    reply.pair("albums", numbers.albums)
    reply.pair("songs", numbers.songs)
    reply.pair("db_playtime", Int(numbers.nanoseconds / 1_000_000_000))
    reply.pair("db_update", Int(library.updatedAt))
  }
}

extension Reply {
  /// A song of the queue, with its place.
  mutating func slot(_ slot: QueueSlot, at position: Int, tags: Set<SongTag>) {
    song(slot.song, tags: tags)
    pair("Pos", position)
    pair("Id", slot.id)
    if slot.priority > 0 { pair("Prio", slot.priority) }
  }
}
