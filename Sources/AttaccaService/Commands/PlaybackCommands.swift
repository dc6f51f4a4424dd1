// SPDX-License-Identifier: Apache-2.0

// Commands that move the playhead.
extension MusicServer {
  static let playbackCommands: [ServedCommand] = [
    ServedCommand("play", .player, 0...1) { server, _, arguments, _ throws(CommandError) in
      try server.served.play(at: try server.position(arguments))
    },
    ServedCommand("playid", .player, 0...1) { server, _, arguments, _ throws(CommandError) in
      guard !arguments.isEmpty, try arguments.integer(0) != -1 else {
        return try server.served.play()
      }
      try server.served.play(id: try arguments.unsigned(0))
    },
    ServedCommand("pause", .player, 0...1) { server, _, arguments, _ throws(CommandError) in
      server.served.pause(arguments.isEmpty ? nil : try arguments.bool(0))
    },
    ServedCommand("stop", .player, 0) { server, _, _, _ throws(CommandError) in
      server.served.stop()
    },
    ServedCommand("next", .player, 0) { server, _, _, _ throws(CommandError) in
      try server.served.next()
    },
    ServedCommand("previous", .player, 0) { server, _, _, _ throws(CommandError) in
      try server.served.previous()
    },
    ServedCommand("seek", .player, 2) { server, _, arguments, _ throws(CommandError) in
      let position = try arguments.unsigned(0)
      try server.served.seek(at: position, to: try arguments.nanoseconds(1))
    },
    ServedCommand("seekid", .player, 2) { server, _, arguments, _ throws(CommandError) in
      let (id, time) = (try arguments.unsigned(0), try arguments.nanoseconds(1))
      guard let position = server.served.queue.position(of: id) else { throw .noSuchSong }
      try server.served.seek(at: position, to: time)
    },
    ServedCommand("seekcur", .player, 1) { server, _, arguments, _ throws(CommandError) in
      let isRelative = arguments[0].first == "+" || arguments[0].first == "-"
      let seconds = try arguments.float(0)
      let time = SongPart.nanoseconds(abs(seconds))
      try server.served.seekCurrent(to: seconds < 0 ? -time : time, isRelative: isRelative)
    },
  ]

  /// The position that an argument names; nil for none, and for -1.
  private func position(_ arguments: CommandArguments) throws(CommandError) -> Int? {
    guard !arguments.isEmpty else { return nil }
    let position = try arguments.integer(0)
    if position == -1 { return nil }
    guard position >= 0 else { throw .badIndex }
    return position
  }
}

extension CommandArguments {
  /// A moment of a song in seconds, as nanoseconds.
  func nanoseconds(_ index: Int) throws(CommandError) -> Int64 {
    let seconds = try float(index)
    guard seconds >= 0 else {
      throw CommandError(.argument, "Number is negative: \(self[index])")
    }
    return SongPart.nanoseconds(seconds)
  }
}
