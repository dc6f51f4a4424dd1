// SPDX-License-Identifier: Apache-2.0

import SoundFiles

// Commands that ask the music folder.
extension MusicServer {
  static let libraryCommands: [ServedCommand] = [
    ServedCommand("lsinfo", .read, 0...1) {
      server, client, arguments, reply throws(CommandError) in
      try server.listInfo(arguments.first ?? "", client, &reply)
    },
    ServedCommand("listall", .read, 0...1) {
      server, client, arguments, reply throws(CommandError) in
      try server.listAll(arguments.first ?? "", client, withInfo: false, &reply)
    },
    ServedCommand("listallinfo", .read, 0...1) {
      server, client, arguments, reply throws(CommandError) in
      try server.listAll(arguments.first ?? "", client, withInfo: true, &reply)
    },
    ServedCommand("listfiles", .read, 0...1) { server, _, arguments, reply throws(CommandError) in
      try server.listFiles(arguments.first ?? "", &reply)
    },
    ServedCommand("find", .read, 1...) { server, client, arguments, reply throws(CommandError) in
      try server.tellFound(SongQuery(arguments, foldsCase: false), client, &reply)
    },
    ServedCommand("search", .read, 1...) {
      server, client, arguments, reply throws(CommandError) in
      try server.tellFound(SongQuery(arguments, foldsCase: true), client, &reply)
    },
    ServedCommand("findadd", .add, 1...) { server, _, arguments, _ throws(CommandError) in
      try server.addFound(arguments, foldsCase: false)
    },
    ServedCommand("searchadd", .add, 1...) { server, _, arguments, _ throws(CommandError) in
      try server.addFound(arguments, foldsCase: true)
    },
    ServedCommand("list", .read, 1...) { server, _, arguments, reply throws(CommandError) in
      try server.list(arguments, &reply)
    },
    ServedCommand("count", .read, 1...) { server, _, arguments, reply throws(CommandError) in
      try server.count(arguments, foldsCase: false, &reply)
    },
    ServedCommand("searchcount", .read, 1...) { server, _, arguments, reply throws(CommandError) in
      try server.count(arguments, foldsCase: true, &reply)
    },
    ServedCommand("update", .control, 0...1) { server, _, arguments, reply throws(CommandError) in
      try server.update(arguments, isComplete: false, &reply)
    },
    ServedCommand("rescan", .control, 0...1) { server, _, arguments, reply throws(CommandError) in
      try server.update(arguments, isComplete: true, &reply)
    },
    ServedCommand("readcomments", .read, 1) {
      server, client, arguments, reply throws(CommandError) in
      try server.tellComments(arguments[0], client, &reply)
    },
  ]

  /// The library.
  ///
  /// - Throws: Where there is none.
  func indexed() throws(CommandError) -> MusicLibrary {
    guard let library else { throw CommandError(.noExist, "No database") }
    return library
  }

  /// A folder of the library by what a client calls it.
  private func folder(_ uri: String) throws(CommandError) -> String {
    var uri = uri[...]
    while uri.last == "/" { uri = uri.dropLast() }
    guard MusicLibrary.isSafe(String(uri)) else { throw .noSuchFolder }
    return String(uri)
  }

  private func listInfo(
    _ uri: String, _ client: ServedClient, _ reply: inout Reply
  ) throws(CommandError) {
    if uri.contains("://") || uri.hasPrefix("/") && uri != "/" {
      for song in try songs(uri, for: client) { reply.song(song, tags: client.options.tags) }
      return
    }
    let (library, name) = (try indexed(), try folder(uri))
    let entries = try stored { () throws(StoreError) in
      try library.index.hasFolder(name) ? try library.index.entries(of: name) : nil
    }
    if let entries {
      let lists = name.isEmpty ? playlists.all() : []
      let hidden = client.options.tags.hiddenNames
      return try reply.each(entries.count + lists.count) { [self] i, reply throws(CommandError) in
        if i < entries.count {
          return try stored { () throws(StoreError) in
            try library.index.tell(entries[i], withInfo: true, hidden: hidden, &reply)
          }
        }
        reply.pair("playlist", lists[i - entries.count].name)
        reply.moment("Last-Modified", lists[i - entries.count].modified)
      }
    }
    guard let song = try stored({ () throws(StoreError) in try library.index.song(name) }) else {
      throw .noSuchFolder
    }
    reply.song(song, tags: client.options.tags)
  }

  private func listAll(
    _ uri: String, _ client: ServedClient, withInfo: Bool, _ reply: inout Reply
  ) throws(CommandError) {
    let (library, name) = (try indexed(), try folder(uri))
    if let song = try stored({ () throws(StoreError) in try library.index.song(name) }) {
      guard withInfo else { return reply.pair("file", song.uri) }
      return reply.song(song, tags: client.options.tags)
    }
    let modified = try stored { () throws(StoreError) in try library.index.folder(name) }
    guard let modified else { throw .noSuchFolder }
    if !name.isEmpty {
      reply.pair("directory", name)
      if withInfo { reply.moment("Last-Modified", modified) }
    }
    let entries = try stored { () throws(StoreError) in try library.index.tree(of: name) }
    let hidden = client.options.tags.hiddenNames
    try tell(entries.count, &reply) { i, reply throws(StoreError) in
      try library.index.tell(entries[i], withInfo: withInfo, hidden: hidden, &reply)
    }
  }

  private func listFiles(_ uri: String, _ reply: inout Reply) throws(CommandError) {
    let (library, name) = (try indexed(), try folder(uri))
    guard let path = library.path(of: name), path.isFolder,
      let contents = FolderContents(path: path.text, extensions: nil)
    else { throw .noSuchFolder }
    for folder in contents.folders {
      reply.pair("directory", folder.name)
      reply.moment("Last-Modified", folder.modified)
    }
    for file in (contents.songs + contents.lists).sorted(by: { $0.name < $1.name }) {
      reply.pair("file", file.name)
      reply.pair("size", Int(file.size))
      reply.moment("Last-Modified", file.modified)
    }
  }

  /// Tells of so many things of the index, batch by batch.
  private func tell(
    _ count: Int, _ reply: inout Reply,
    _ body: @escaping (Int, inout Reply) throws(StoreError) -> Void
  ) throws(CommandError) {
    let index = try indexed().index
    let size = LibraryIndex.batch
    try reply.each((count + size - 1) / size) { [self] batch, reply throws(CommandError) in
      try stored { () throws(StoreError) in
        try index.reading { () throws(StoreError) in
          for i in (batch * size)..<min((batch + 1) * size, count) { try body(i, &reply) }
        }
      }
    }
  }

  // MARK: Queries

  private func tellFound(
    _ query: SongQuery, _ client: ServedClient, _ reply: inout Reply
  ) throws(CommandError) {
    let tags = client.options.tags
    guard query.order == nil else {
      let songs = try found(query)
      return try reply.each(songs.count) { i, reply throws(CommandError) in
        reply.song(songs[i], tags: tags)
      }
    }
    let library = try indexed()
    let numbers = try stored { () throws(StoreError) in
      try library.index.numbers(query.filter, query.window ?? .all)
    }
    let hidden = tags.hiddenNames
    try tell(numbers.count, &reply) { i, reply throws(StoreError) in
      try library.index.tell(numbers[i], hidden: hidden, &reply)
    }
  }

  /// The songs of a query.
  func found(_ query: SongQuery) throws(CommandError) -> [Song] {
    let library = try indexed()
    guard query.order != nil else {
      return try stored { () throws(StoreError) in
        try library.index.songs(query.filter, query.window ?? .all)
      }
    }
    return query.arranged(
      try stored { () throws(StoreError) in try library.index.songs(query.filter) })
  }

  private func addFound(_ arguments: CommandArguments, foldsCase: Bool) throws(CommandError) {
    let query = try SongQuery(arguments, foldsCase: foldsCase, takesPlace: true)
    let place = try query.place.map { text throws(CommandError) in
      try CommandArguments([text]).place(
        0, count: served.queue.count, current: served.currentPosition)
    }
    try served.insert(entries(try found(query)), at: place ?? served.queue.count)
  }

  /// Takes "group TYPE" from the end of arguments, as often as it is there.
  private static func groups(_ words: inout [String]) throws(CommandError) -> [SongTag] {
    var groups: [SongTag] = []
    while words.count >= 2, words[words.count - 2] == "group" {
      guard let tag = SongTag(named: words[words.count - 1]) else {
        throw CommandError(.argument, "Unknown tag type: \(words[words.count - 1])")
      }
      guard !groups.contains(tag) else { throw CommandError(.argument, "Conflicting group") }
      groups.append(tag)
      words.removeLast(2)
    }
    return groups
  }

  private func list(_ arguments: CommandArguments, _ reply: inout Reply) throws(CommandError) {
    let library = try indexed()
    var words = Array(arguments.dropFirst())
    let groups = try Self.groups(&words)
    if ["file", "filename"].contains(arguments[0].lowercased()) {
      let filter = words.isEmpty ? .everything : try SongFilter(words, foldsCase: false)
      let numbers = try stored { () throws(StoreError) in try library.index.numbers(filter) }
      return try tell(numbers.count, &reply) { i, reply throws(StoreError) in
        try library.index.tell(.song(numbers[i]), withInfo: false, hidden: [], &reply)
      }
    }
    guard let tag = SongTag(named: arguments[0]) else {
      throw CommandError(.argument, "Unknown tag type: \(arguments[0])")
    }
    guard !groups.contains(tag) else { throw CommandError(.argument, "Conflicting group") }
    // "list album ARTIST", of before there were filters.
    if tag == .album, words.count == 1, words[0].first != "(" { words = ["artist", words[0]] }
    let filter = words.isEmpty ? .everything : try SongFilter(words, foldsCase: false)
    let rows = try stored { () throws(StoreError) in
      try library.index.values(of: groups + [tag], among: filter)
    }
    try reply.each(rows.count) { i, reply throws(CommandError) in
      // A group is told where it begins.
      let first =
        i == 0
        ? 0 : groups.indices.first { rows[i][$0] != rows[i - 1][$0] } ?? groups.count
      for index in first..<groups.count { reply.pair(groups[index].rawValue, rows[i][index]) }
      reply.pair(tag.rawValue, rows[i][groups.count])
    }
  }

  private func count(
    _ arguments: CommandArguments, foldsCase: Bool, _ reply: inout Reply
  ) throws(CommandError) {
    let library = try indexed()
    var words = Array(arguments)
    let groups = try Self.groups(&words)
    guard !words.isEmpty || !groups.isEmpty else {
      throw CommandError(.argument, "Incorrect number of filter arguments")
    }
    let filter = words.isEmpty ? .everything : try SongFilter(words, foldsCase: foldsCase)
    guard let group = groups.first else {
      let (songs, nanoseconds) = try stored { () throws(StoreError) in
        try library.index.count(filter)
      }
      reply.pair("songs", songs)
      reply.pair("playtime", Int(nanoseconds / 1_000_000_000))
      return
    }
    for row in try stored({ () throws(StoreError) in try library.index.counts(filter, by: group) })
    {
      reply.pair(group.rawValue, row.value)
      reply.pair("songs", row.songs)
      reply.pair("playtime", Int(row.nanoseconds / 1_000_000_000))
    }
  }

  private func update(
    _ arguments: CommandArguments, isComplete: Bool, _ reply: inout Reply
  ) throws(CommandError) {
    let library = try indexed()
    var uri = (arguments.first ?? "")[...]
    while uri.last == "/" { uri = uri.dropLast() }
    guard MusicLibrary.isSafe(String(uri)) else { throw CommandError(.argument, "Malformed path") }
    reply.pair("updating_db", try library.update(String(uri), isComplete: isComplete))
  }

  private func tellComments(
    _ uri: String, _ client: ServedClient, _ reply: inout Reply
  ) throws(CommandError) {
    let file = try soundFile(uri, for: client)
    for name in file.tags.names where name != .lyrics {
      for value in file.tags[name] { reply.pair(name.rawValue, value) }
    }
  }

  /// The file of a URI, open.
  func soundFile(_ uri: String, for client: ServedClient) throws(CommandError) -> SoundFile {
    let path: BytePath
    if uri.hasPrefix("/") || uri.hasPrefix("file://") {
      guard client.options.isLocal else { throw .accessDenied }
      path = BytePath.plain(fileAddress: uri) ?? BytePath(uri)
    } else {
      guard let inside = try indexed().path(of: uri) else { throw .malformedURI }
      path = inside
    }
    do throws(SoundFileError) {
      return try SoundFile(path: path, pool: pool)
    } catch {
      throw CommandError(.noExist, error.kind == .missing ? "No such song" : "\(error)")
    }
  }
}
