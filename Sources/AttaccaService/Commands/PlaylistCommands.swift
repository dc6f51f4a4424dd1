// SPDX-License-Identifier: Apache-2.0

// Commands of lists that are saved.
extension MusicServer {
  static let playlistCommands: [ServedCommand] = [
    ServedCommand("listplaylists", .read, 0) { server, _, _, reply throws(CommandError) in
      for list in server.playlists.all() {
        reply.pair("playlist", list.name)
        reply.moment("Last-Modified", list.modified)
      }
    },
    ServedCommand("listplaylist", .read, 1...2) {
      server, _, arguments, reply throws(CommandError) in
      let uris = try server.uris(ofList: arguments[0])
      let part = try arguments.part(1, of: uris.count)
      try reply.each(part.count) { i, reply throws(CommandError) in
        reply.pair("file", uris[part.lowerBound + i])
      }
    },
    ServedCommand("listplaylistinfo", .read, 1...2) {
      server, client, arguments, reply throws(CommandError) in
      let uris = try server.uris(ofList: arguments[0])
      let part = Array(uris[try arguments.part(1, of: uris.count)])
      let (songs, tags) = (try server.songs(ofList: part), client.options.tags)
      try reply.each(songs.count) { i, reply throws(CommandError) in
        reply.song(songs[i], tags: tags)
      }
    },
    ServedCommand("load", .add, 1...3) { server, client, arguments, _ throws(CommandError) in
      try server.load(arguments, client)
    },
    ServedCommand("save", .control, 1...2) { server, _, arguments, _ throws(CommandError) in
      try server.save(arguments)
    },
    ServedCommand("rm", .control, 1) { server, _, arguments, _ throws(CommandError) in
      try server.playlists.remove(arguments[0])
      server.change([.storedPlaylist])
    },
    ServedCommand("rename", .control, 2) { server, _, arguments, _ throws(CommandError) in
      try server.playlists.rename(arguments[0], to: arguments[1])
      server.change([.storedPlaylist])
    },
    ServedCommand("playlistclear", .control, 1) { server, _, arguments, _ throws(CommandError) in
      guard try server.playlists.has(arguments[0]) else { throw .noSuchPlaylist }
      try server.write([], to: arguments[0])
    },
    ServedCommand("playlistadd", .control, 2...3) {
      server, client, arguments, _ throws(CommandError) in
      let new = try server.songs(arguments[1], for: client).map(\.uri)
      try server.insert(new, into: arguments[0], at: arguments.count > 2 ? arguments.from(2) : nil)
    },
    ServedCommand("playlistdelete", .control, 2) { server, _, arguments, _ throws(CommandError) in
      var uris = try server.playlists.uris(of: arguments[0])
      uris.removeSubrange(try arguments.range(1).existing(in: uris.count))
      try server.write(uris, to: arguments[0])
    },
    ServedCommand("playlistmove", .control, 3) { server, _, arguments, _ throws(CommandError) in
      let (source, destination) = (try arguments.unsigned(1), try arguments.unsigned(2))
      var uris = try server.playlists.uris(of: arguments[0])
      guard max(source, destination) < uris.count else {
        throw CommandError(.argument, "Bad range")
      }
      uris.insert(uris.remove(at: source), at: destination)
      try server.write(uris, to: arguments[0])
    },
    ServedCommand("searchaddpl", .control, 2...) { server, _, arguments, _ throws(CommandError) in
      let query = try SongQuery(arguments.from(1), foldsCase: true, takesPlace: true)
      let uris = try server.found(query).map(\.uri)
      guard !uris.isEmpty else { return }
      try server.insert(
        uris, into: arguments[0], at: query.place.map { CommandArguments([$0]) })
    },
  ]

  private func write(_ uris: [String], to name: String) throws(CommandError) {
    try playlists.write(uris, to: name)
    change([.storedPlaylist])
  }

  /// Puts URIs into a list, which is made where it is not there, at the place that an argument names, or the end.
  private func insert(
    _ new: [String], into name: String, at place: CommandArguments?
  ) throws(CommandError) {
    var uris = try playlists.has(name) ? try playlists.uris(of: name) : []
    let index = try place.map { arguments throws(CommandError) in
      try arguments.unsigned(0, atMost: uris.count)
    }
    uris.insert(contentsOf: new, at: index ?? uris.count)
    try write(uris, to: name)
  }

  private func load(
    _ arguments: CommandArguments, _ client: ServedClient
  ) throws(CommandError) {
    let uris = try self.uris(ofList: arguments[0])
    let part = try arguments.part(1, of: uris.count)
    let place = try self.place(arguments, 2) ?? served.queue.count
    var songs: [Song] = []
    for song in try self.songs(ofList: Array(uris[part])) {
      guard song.modified == nil else {
        songs.append(song)
        continue
      }
      do throws(CommandError) {
        songs += try self.songs(song.uri, for: client, missing: .song)
      } catch {
        // What is not there, or is not for this client, is left out.
      }
    }
    try served.insert(entries(songs), at: place)
  }

  private func save(_ arguments: CommandArguments) throws(CommandError) {
    let (name, mode) = (arguments[0], arguments.count > 1 ? arguments[1] : "create")
    let uris = served.queue.slots.map(\.song.uri)
    let isThere = try playlists.has(name)
    switch mode {
    case "create":
      guard !isThere else { throw .playlistExists }
      try write(uris, to: name)
    case "replace":
      guard isThere else { throw .noSuchPlaylist }
      try write(uris, to: name)
    case "append":
      guard isThere else { throw .noSuchPlaylist }
      try write(try playlists.uris(of: name) + uris, to: name)
    default: throw CommandError(.argument, "Unrecognized save mode: \(mode)")
    }
  }
}

extension CommandArguments {
  /// The range of an argument in a list of `count`; all of it where there is no argument.
  fileprivate func part(_ index: Int, of count: Int) throws(CommandError) -> Range<Int> {
    guard self.count > index else { return 0..<count }
    return try range(index).clipped(to: count)
  }
}
