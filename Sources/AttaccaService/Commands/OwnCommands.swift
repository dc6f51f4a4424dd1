// SPDX-License-Identifier: Apache-2.0

import Attacca

// Commands that MPD's protocol does not have: exact positions, chapters, sleep, speed, silences.
extension MusicServer {
  static let ownCommands: [ServedCommand] = [
    ServedCommand("attacca_position", .read, 0) { server, _, _, reply throws(CommandError) in
      let player = server.served.player
      guard let span = player.currentSpan else { return }
      let rate = span.sampleRate
      reply.pair("rate", rate)
      reply.pair("frame", Int(RationalTime(player.currentTime).frames(at: rate)))
      if let length = span.duration { reply.pair("frames", Int(length.frames(at: rate))) }
    },
    ServedCommand("attacca_seek", .player, 1) { server, _, arguments, _ throws(CommandError) in
      guard let frame = CommandArguments.number(arguments[0]), frame >= 0 else {
        throw CommandError(.argument, "Integer expected: \(arguments[0])")
      }
      let player = server.served.player
      guard let span = player.currentSpan else { throw .notPlaying }
      player.seek(to: MediaTime(value: Int64(frame), timescale: Int32(span.sampleRate)))
      server.change([.player])
    },
    ServedCommand("attacca_chapters", .read, 0) { server, _, _, reply throws(CommandError) in
      for (number, chapter) in server.served.player.chapters.enumerated() {
        reply.pair("chapter", number + 1)
        reply.pair("start", Decimal.text(chapter.start.seconds, places: 3))
        if let title = chapter.title { reply.pair("title", title) }
      }
    },
    ServedCommand("attacca_chapter", .player, 1) { server, _, arguments, _ throws(CommandError) in
      try server.goToChapter(arguments)
    },
    ServedCommand("attacca_sleep", .player, 0...2) {
      server, _, arguments, reply throws(CommandError) in
      guard !arguments.isEmpty else { return server.tellSleep(&reply) }
      try server.setSleep(arguments)
    },
    ServedCommand("attacca_speed", .player, 0...1) {
      server, _, arguments, reply throws(CommandError) in
      guard !arguments.isEmpty else {
        return reply.pair("speed", Decimal.text(server.served.modes.speed, places: 3))
      }
      let speed = try arguments.float(0)
      guard PlayModes.speeds.contains(abs(speed)) else {
        throw CommandError(
          .argument, "a speed of \(arguments[0]); 0.03 to 32 either way are permitted")
      }
      server.served.setModes { $0.speed = speed }
    },
    ServedCommand("attacca_silence", .player, 0...1) {
      server, _, arguments, reply throws(CommandError) in
      guard !arguments.isEmpty else {
        reply.pair("shortened", server.served.modes.skipsSilence)
        let skipped = server.served.player.skippedSilence.seconds
        return reply.pair("skipped", Decimal.text(skipped, places: 3))
      }
      let value = try arguments.bool(0)
      server.served.setModes { $0.skipsSilence = value }
    },
  ]

  private func goToChapter(_ arguments: CommandArguments) throws(CommandError) {
    guard served.state != .stop else { throw .notPlaying }
    switch arguments[0] {
    case "next": served.player.nextChapter()
    case "previous": served.player.previousChapter()
    default:
      let number = try arguments.unsigned(0)
      let chapters = served.player.chapters
      guard chapters.indices.contains(number - 1) else {
        throw CommandError(.noExist, "No such chapter")
      }
      served.player.seek(to: chapters[number - 1].start)
    }
    served.settle(.jump)
  }

  private func tellSleep(_ reply: inout Reply) {
    guard let timer = served.player.sleepTimer else { return }
    switch timer.end {
    case .after:
      reply.pair("sleep", Decimal.text(served.player.timeToSleep?.seconds ?? 0, places: 3))
    case .chapter: reply.pair("sleep", "chapter")
    case .items(let count): reply.pair("sleep", count == 1 ? "item" : "items:\(count)")
    }
    reply.pair("fade", Decimal.text(timer.fade.seconds, places: 3))
  }

  /// "off", "item", "chapter", "items:3" or seconds, and the seconds of a fade.
  private func setSleep(_ arguments: CommandArguments) throws(CommandError) {
    let fade = arguments.count > 1 ? SongPart.time(try arguments.nanoseconds(1)) : .zero
    let text = arguments[0]
    switch text {
    case "off": served.player.sleepTimer = nil
    case "item": served.player.sleepTimer = SleepTimer(.item, fade: fade)
    case "chapter": served.player.sleepTimer = SleepTimer(.chapter, fade: fade)
    case _ where text.hasPrefix("items:"):
      guard let count = Int(text.dropFirst(6)), (1...1_000_000).contains(count) else {
        throw CommandError(.argument, "Integer expected: \(text.dropFirst(6))")
      }
      served.player.sleepTimer = SleepTimer(.items(count), fade: fade)
    default:
      served.player.sleepTimer = SleepTimer(
        .after(SongPart.time(try arguments.nanoseconds(0))), fade: fade)
    }
    change([.options])
  }
}
