// SPDX-License-Identifier: Apache-2.0

// Commands that change and tell the queue.
extension MusicServer {
  static let queueCommands: [ServedCommand] = [
    ServedCommand("add", .add, 1...2) { server, client, arguments, _ throws(CommandError) in
      let songs = try server.songs(arguments[0], for: client)
      let place = try server.place(arguments, 1)
      try server.served.insert(server.entries(songs), at: place ?? server.served.queue.count)
    },
    ServedCommand("addid", .add, 1...2) { server, client, arguments, reply throws(CommandError) in
      let songs = try server.songs(arguments[0], for: client, missing: .song)
      let place = try server.place(arguments, 1)
      let ids = try server.served.insert(
        server.entries(songs), at: place ?? server.served.queue.count)
      for id in ids { reply.pair("Id", id) }
    },
    ServedCommand("clear", .player, 0) { server, _, _, _ throws(CommandError) in
      server.served.clear()
    },
    ServedCommand("delete", .player, 1) { server, _, arguments, _ throws(CommandError) in
      server.served.remove(try arguments.range(0).existing(in: server.served.queue.count))
    },
    ServedCommand("deleteid", .player, 1) { server, _, arguments, _ throws(CommandError) in
      let position = try server.position(id: arguments, 0)
      server.served.remove(position..<position + 1)
    },
    ServedCommand("move", .player, 2) { server, _, arguments, _ throws(CommandError) in
      let range = try arguments.range(0).existing(in: server.served.queue.count)
      try server.move(range, arguments, 1)
    },
    ServedCommand("moveid", .player, 2) { server, _, arguments, _ throws(CommandError) in
      let position = try server.position(id: arguments, 0)
      try server.move(position..<position + 1, arguments, 1)
    },
    ServedCommand("swap", .player, 2) { server, _, arguments, _ throws(CommandError) in
      let (first, second) = (try arguments.unsigned(0), try arguments.unsigned(1))
      guard max(first, second) < server.served.queue.count else { throw .badIndex }
      server.served.swap(first, second)
    },
    ServedCommand("swapid", .player, 2) { server, _, arguments, _ throws(CommandError) in
      let first = try server.position(id: arguments, 0)
      server.served.swap(first, try server.position(id: arguments, 1))
    },
    ServedCommand("shuffle", .player, 0...1) { server, _, arguments, _ throws(CommandError) in
      let range = arguments.isEmpty ? .all : try arguments.range(0)
      server.served.shuffle(range.clipped(to: server.served.queue.count))
    },
    ServedCommand("prio", .player, 2...) { server, _, arguments, _ throws(CommandError) in
      let priority = try arguments.unsigned(0, atMost: 255)
      for index in 1..<arguments.count {
        let range = try arguments.range(index).existing(in: server.served.queue.count)
        server.served.setPriority(priority, at: range)
      }
    },
    ServedCommand("prioid", .player, 2...) { server, _, arguments, _ throws(CommandError) in
      let priority = try arguments.unsigned(0, atMost: 255)
      for index in 1..<arguments.count {
        server.served.setPriority(priority, at: [try server.position(id: arguments, index)])
      }
    },
    ServedCommand("rangeid", .add, 2) { server, _, arguments, _ throws(CommandError) in
      try server.setRange(arguments)
    },
    ServedCommand("addtagid", .add, 3) { server, _, arguments, _ throws(CommandError) in
      try server.addTag(arguments)
    },
    ServedCommand("cleartagid", .add, 1...2) { server, _, arguments, _ throws(CommandError) in
      try server.clearTags(arguments)
    },
    ServedCommand("playlist", .read, 0) { server, _, _, reply throws(CommandError) in
      let slots = server.served.queue.slots
      try reply.each(slots.count) { position, reply throws(CommandError) in
        reply.text("\(position):file: \(slots[position].song.uri)\n")
      }
    },
    ServedCommand("playlistinfo", .read, 0...1) {
      server, client, arguments, reply throws(CommandError) in
      let range = arguments.isEmpty ? .all : try arguments.range(0)
      let count = server.served.queue.count
      if let end = range.end, end == range.start + 1, range.start >= count { throw .badIndex }
      try server.tell(Array(range.positions(in: count)), client, &reply)
    },
    ServedCommand("playlistid", .read, 0...1) {
      server, client, arguments, reply throws(CommandError) in
      let all = 0..<server.served.queue.count
      let positions = arguments.isEmpty ? all : try server.range(id: arguments, 0)
      try server.tell(Array(positions), client, &reply)
    },
    ServedCommand("playlistfind", .read, 1...) {
      server, client, arguments, reply throws(CommandError) in
      try server.tellQueue(of: arguments, foldsCase: false, client, &reply)
    },
    ServedCommand("playlistsearch", .read, 1...) {
      server, client, arguments, reply throws(CommandError) in
      try server.tellQueue(of: arguments, foldsCase: true, client, &reply)
    },
    ServedCommand("plchanges", .read, 1...2) {
      server, client, arguments, reply throws(CommandError) in
      try server.tell(server.changedPositions(arguments), client, &reply)
    },
    ServedCommand("plchangesposid", .read, 1...2) {
      server, _, arguments, reply throws(CommandError) in
      let (positions, queue) = (try server.changedPositions(arguments), server.served.queue)
      try reply.each(positions.count) { i, reply throws(CommandError) in
        reply.pair("cpos", positions[i])
        reply.pair("Id", queue[positions[i]].id)
      }
    },
  ]

  // MARK: Arguments

  private func position(
    id arguments: CommandArguments, _ index: Int
  ) throws(CommandError) -> Int {
    guard let position = served.queue.position(of: try arguments.unsigned(index)) else {
      throw .noSuchSong
    }
    return position
  }

  private func range(
    id arguments: CommandArguments, _ index: Int
  ) throws(CommandError) -> Range<Int> {
    let position = try position(id: arguments, index)
    return position..<position + 1
  }

  /// The place that an argument names; nil where there is none.
  func place(_ arguments: CommandArguments, _ index: Int) throws(CommandError) -> Int? {
    guard arguments.count > index else { return nil }
    return try arguments.place(
      index, count: served.queue.count, current: served.currentPosition)
  }

  private func move(
    _ range: Range<Int>, _ arguments: CommandArguments, _ index: Int
  ) throws(CommandError) {
    guard !range.isEmpty else { return }
    let count = served.queue.count
    let text = arguments[index]
    var destination: Int
    if text.first == "+" || text.first == "-" {
      guard let current = served.currentPosition else {
        throw CommandError(.playerSync, "No current song")
      }
      guard !range.contains(current) else {
        throw CommandError(.argument, "Cannot move current song relative to itself")
      }
      destination = try arguments.place(index, count: count, current: current)
      if range.lowerBound < destination { destination -= range.count }
      guard destination >= 0 else { throw .badIndex }
    } else {
      destination = try arguments.unsigned(index, atMost: count - range.count)
    }
    guard destination >= 0, destination + range.count <= count else { throw .badIndex }
    served.move(range, to: destination)
  }

  private func changedPositions(_ arguments: CommandArguments) throws(CommandError) -> [Int] {
    guard let number = CommandArguments.number(arguments[0]), number >= 0 else {
      throw CommandError(.argument, "Integer expected: \(arguments[0])")
    }
    let range = arguments.count > 1 ? try arguments.range(1) : .all
    let clipped = range.clipped(to: served.queue.count)
    return served.queue.changes(since: UInt32(clamping: number)).filter(clipped.contains)
  }

  private func tellQueue(
    of arguments: CommandArguments, foldsCase: Bool, _ client: ServedClient, _ reply: inout Reply
  ) throws(CommandError) {
    let query = try SongQuery(arguments, foldsCase: foldsCase)
    let queue = served.queue
    var found = queue.slots.indices.filter { position in
      query.filter.matches(queue[position].song, priority: queue[position].priority)
    }
    if let order = query.order {
      let sorted = order.sorted(found.map { queue[$0].song })
      var positions: [ObjectIdentifier: [Int]] = [:]
      for position in found.reversed() {
        positions[ObjectIdentifier(queue[position].song), default: []].append(position)
      }
      found = sorted.compactMap { positions[ObjectIdentifier($0)]?.popLast() }
    }
    if let window = query.window { found = Array(found[window.clipped(to: found.count)]) }
    try tell(found, client, &reply)
  }

  /// Tells of the songs at positions, as they are now.
  private func tell(
    _ positions: [Int], _ client: ServedClient, _ reply: inout Reply
  ) throws(CommandError) {
    let (queue, tags) = (served.queue, client.options.tags)
    try reply.each(positions.count) { i, reply throws(CommandError) in
      reply.slot(queue[positions[i]], at: positions[i], tags: tags)
    }
  }

  // MARK: One song

  private func setRange(_ arguments: CommandArguments) throws(CommandError) {
    _ = try arguments.unsigned(0)
    let times = arguments[1].split(separator: ":", omittingEmptySubsequences: false).map { part in
      part.isEmpty ? 0 : Double(part).flatMap { $0 >= 0 ? SongPart.nanoseconds($0) : nil }
    }
    let wrong = CommandError(.argument, "Bad range")
    guard times.count == 2, let start = times[0], let last = times[1] else { throw wrong }
    let end = last == 0 ? nil : last
    guard end.map({ $0 > start }) ?? true else { throw wrong }
    let position = try position(id: arguments, 0)
    let slot = served.queue[position]
    guard served.state == .stop || served.currentPosition != position else {
      throw CommandError(.permission, "Cannot edit the current song")
    }
    let part = start == 0 && end == nil ? nil : SongPart(start: start, end: end)
    let song = slot.song.with(range: part)
    served.replace(at: position, with: song, item: item(song))
  }

  private func addTag(_ arguments: CommandArguments) throws(CommandError) {
    guard let tag = SongTag(named: arguments[1]) else {
      throw CommandError(.argument, "Unknown tag type: \(arguments[1])")
    }
    let position = try position(id: arguments, 0)
    let song = try remoteSong(at: position)
    let values = song.values + [SongValue(tag: tag, text: arguments[2])]
    served.queue.update(at: position, with: song.with(values: values))
    served.commit()
  }

  private func clearTags(_ arguments: CommandArguments) throws(CommandError) {
    var tag: SongTag?
    if arguments.count > 1 {
      tag = SongTag(named: arguments[1])
      guard tag != nil else {
        throw CommandError(.argument, "Unknown tag type: \(arguments[1])")
      }
    }
    let position = try position(id: arguments, 0)
    let song = try remoteSong(at: position)
    let values = tag.map { tag in song.values.filter { $0.tag != tag } } ?? []
    served.queue.update(at: position, with: song.with(values: values))
    served.commit()
  }

  /// A song whose tags clients may set: of a file they are in the file.
  private func remoteSong(at position: Int) throws(CommandError) -> Song {
    let song = served.queue[position].song
    guard song.uri.contains("://") else {
      throw CommandError(.permission, "Cannot edit tags of local file")
    }
    return song
  }
}

extension SongRange {
  /// The positions of it in a list of `count`; one that names a single position has to be there.
  func existing(in count: Int) throws(CommandError) -> Range<Int> {
    guard start < count || end == nil && start == count else { throw .badIndex }
    return clipped(to: count)
  }
}
