// SPDX-License-Identifier: Apache-2.0

import SoundFiles

// Commands of a connection, and of what the service can do.
extension MusicServer {
  static let connectionCommands: [ServedCommand] = [
    ServedCommand("ping", [], 0) { _, _, _, _ throws(CommandError) in },
    ServedCommand("close", [], 0...) { server, client, _, _ throws(CommandError) in
      server.leave(client)
    },
    ServedCommand("kill", .admin, 0...) { server, client, _, _ throws(CommandError) in
      server.leave(client)
      server.ends()
    },
    ServedCommand("password", [], 1) { server, client, arguments, _ throws(CommandError) in
      guard let permissions = server.access.passwords[arguments[0]] else {
        throw CommandError(.password, "incorrect password")
      }
      client.options.permissions = permissions
    },
    ServedCommand("commands", [], 0) { _, client, _, reply throws(CommandError) in
      for command in sorted where client.options.permissions.isSuperset(of: command.permissions) {
        reply.pair("command", command.name)
      }
    },
    ServedCommand("notcommands", [], 0) { _, client, _, reply throws(CommandError) in
      for command in sorted where !client.options.permissions.isSuperset(of: command.permissions) {
        reply.pair("command", command.name)
      }
    },
    ServedCommand("tagtypes", [], 0...) { _, client, arguments, reply throws(CommandError) in
      try setTags(arguments, client, &reply)
    },
    ServedCommand("binarylimit", [], 1) { _, client, arguments, _ throws(CommandError) in
      let limit = try arguments.integer(0)
      guard limit >= 64 else { throw CommandError(.argument, "Value too small") }
      client.options.binaryLimit = min(limit, 4 << 20)
    },
    ServedCommand("urlhandlers", .read, 0) { server, client, _, reply throws(CommandError) in
      if client.options.isLocal { reply.pair("handler", "file://") }
      for scheme in ["http://", "https://"]
      where server.source(BytePath(scheme + "localhost/a.flac")) != nil {
        reply.pair("handler", scheme)
      }
    },
    ServedCommand("decoders", .read, 0) { _, _, _, reply throws(CommandError) in
      reply.pair("plugin", "attacca")
      for suffix in FolderListing.extensions.sorted() { reply.pair("suffix", suffix) }
    },
    ServedCommand("config", .admin, 0) { server, client, _, reply throws(CommandError) in
      guard client.options.isLocal else {
        throw CommandError(.permission, "Command only permitted to local clients")
      }
      if let library = server.library { reply.pair("music_directory", library.root) }
      reply.pair("playlist_directory", server.playlists.folder)
    },
    ServedCommand("listmounts", .read, 0) { server, _, _, reply throws(CommandError) in
      reply.pair("mount", "")
      if let library = server.library { reply.pair("storage", library.root) }
    },
    ServedCommand("listpartitions", .read, 0) { _, _, _, reply throws(CommandError) in
      reply.pair("partition", "default")
    },
    ServedCommand("partition", .read, 1) { _, _, arguments, _ throws(CommandError) in
      guard arguments[0] == "default" else {
        throw CommandError(.noExist, "partition does not exist")
      }
    },
  ]

  private static let sorted = commands.values.sorted { $0.name < $1.name }

  private static func setTags(
    _ arguments: CommandArguments, _ client: ServedClient, _ reply: inout Reply
  ) throws(CommandError) {
    guard let call = arguments.first else {
      for tag in SongTag.allCases where client.options.tags.contains(tag) {
        reply.pair("tagtype", tag.rawValue)
      }
      return
    }
    let takesNames = call == "enable" || call == "disable"
    guard takesNames || arguments.count == 1 else {
      throw CommandError(.argument, "Too many arguments")
    }
    guard !takesNames || arguments.count > 1 else {
      throw CommandError(.argument, "Not enough arguments")
    }
    var tags: Set<SongTag> = []
    for name in arguments.dropFirst() {
      guard let tag = SongTag(named: name) else {
        throw CommandError(.argument, "Unknown tag type")
      }
      tags.insert(tag)
    }
    switch call {
    case "all": client.options.tags = Set(SongTag.allCases)
    case "clear": client.options.tags = []
    case "enable": client.options.tags.formUnion(tags)
    case "disable": client.options.tags.subtract(tags)
    default: throw CommandError(.argument, "Unknown sub command")
    }
  }
}
