// SPDX-License-Identifier: Apache-2.0

// Commands of values that clients attach to songs.
extension MusicServer {
  static let stickerCommands: [ServedCommand] = [
    ServedCommand("sticker", .admin, 3...) { server, _, arguments, reply throws(CommandError) in
      try server.sticker(arguments, &reply)
    }
  ]

  private func sticker(_ arguments: CommandArguments, _ reply: inout Reply) throws(CommandError) {
    let (call, type, uri) = (arguments[0], arguments[1], arguments[2])
    guard type == "song" else { throw CommandError(.argument, "unknown sticker domain") }
    let noSuch = CommandError(.noExist, "no such sticker")
    switch (call, arguments.count) {
    case ("get", 4):
      try checkSong(uri)
      let value = try stored { () throws(StoreError) in
        try stickers.value(type, uri, arguments[3])
      }
      guard let value else { throw noSuch }
      reply.pair("sticker", "\(arguments[3])=\(value)")
    case ("list", 3):
      try checkSong(uri)
      for sticker in try stored({ () throws(StoreError) in try stickers.all(type, uri) }) {
        reply.pair("sticker", "\(sticker.name)=\(sticker.value)")
      }
    case ("set", 5):
      try checkSong(uri)
      try stored { () throws(StoreError) in
        try stickers.set(type, uri, arguments[3], to: arguments[4])
      }
      change([.sticker])
    case ("delete", 3), ("delete", 4):
      try checkSong(uri)
      let name = arguments.count == 4 ? arguments[3] : nil
      guard try stored({ () throws(StoreError) in try stickers.remove(type, uri, name) }) else {
        throw noSuch
      }
      change([.sticker])
    case ("find", 4), ("find", 6): try findStickers(arguments, &reply)
    default: throw CommandError(.argument, "bad request")
    }
  }

  private func findStickers(
    _ arguments: CommandArguments, _ reply: inout Reply
  ) throws(CommandError) {
    var test: (StickerStore.Comparison, String)?
    if arguments.count == 6 {
      guard let comparison = StickerStore.Comparison(rawValue: arguments[4]) else {
        throw CommandError(.argument, "bad operator")
      }
      test = (comparison, arguments[5])
    }
    var folder = arguments[2][...]
    while folder.last == "/" { folder = folder.dropLast() }
    let rows = try stored { () throws(StoreError) in
      try stickers.find(arguments[1], below: String(folder), arguments[3], test)
    }
    for row in rows {
      reply.pair("file", row.uri)
      reply.pair("sticker", "\(arguments[3])=\(row.value)")
    }
  }

  /// Has a song be one of the library.
  private func checkSong(_ uri: String) throws(CommandError) {
    let library = try indexed()
    guard try stored({ () throws(StoreError) in try library.index.song(uri) }) != nil else {
      throw CommandError(.noExist, "No such song")
    }
  }
}
