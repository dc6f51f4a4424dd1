// SPDX-License-Identifier: Apache-2.0

import Attacca

// Commands that set modes, the volume and outputs.
extension MusicServer {
  static let optionCommands: [ServedCommand] = [
    ServedCommand("repeat", .player, 1) { server, _, arguments, _ throws(CommandError) in
      let value = try arguments.bool(0)
      server.served.setModes { $0.repeats = value }
    },
    ServedCommand("random", .player, 1) { server, _, arguments, _ throws(CommandError) in
      let value = try arguments.bool(0)
      server.served.setModes { $0.isRandom = value }
    },
    ServedCommand("single", .player, 1) { server, _, arguments, _ throws(CommandError) in
      let value = try arguments.oneShot(0, "single")
      server.served.setModes { $0.single = value }
    },
    ServedCommand("consume", .player, 1) { server, _, arguments, _ throws(CommandError) in
      let value = try arguments.oneShot(0, "consume")
      server.served.setModes { $0.consume = value }
    },
    ServedCommand("crossfade", .player, 1) { server, _, arguments, _ throws(CommandError) in
      let seconds = try arguments.unsigned(0, atMost: PlayModes.longestCrossfade)
      server.served.setModes { $0.crossfade = seconds }
    },
    ServedCommand("mixrampdb", .player, 1) { server, _, arguments, _ throws(CommandError) in
      let value = try arguments.float(0)
      server.served.setModes { $0.mixRampDecibels = value }
    },
    ServedCommand("mixrampdelay", .player, 1) { server, _, arguments, _ throws(CommandError) in
      let value = arguments[0].lowercased() == "nan" ? nil : try arguments.float(0)
      server.served.setModes { $0.mixRampDelay = value }
    },
    ServedCommand("replay_gain_mode", .player, 1) {
      server, _, arguments, _ throws(CommandError) in
      guard let mode = LoudnessNormalization.Mode(rawValue: arguments[0]) else {
        throw CommandError(.argument, "Unrecognized replay gain mode")
      }
      server.served.setModes { $0.replayGain = mode }
    },
    ServedCommand("replay_gain_status", .read, 0) { server, _, _, reply throws(CommandError) in
      reply.pair("replay_gain_mode", server.served.modes.replayGain.rawValue)
    },
    ServedCommand("setvol", .player, 1) { server, _, arguments, _ throws(CommandError) in
      server.served.setVolume(try arguments.unsigned(0, atMost: 100))
    },
    ServedCommand("getvol", .read, 0) { server, _, _, reply throws(CommandError) in
      reply.pair("volume", server.served.volume)
    },
    ServedCommand("volume", .player, 1) { server, _, arguments, _ throws(CommandError) in
      let change = try arguments.integer(0, in: -100...100)
      server.served.setVolume(min(max(server.served.volume + change, 0), 100))
    },
    ServedCommand("outputs", .read, 0) { server, _, _, reply throws(CommandError) in
      reply.pair("outputid", 0)
      reply.pair("outputname", "attacca")
      reply.pair("plugin", server.outputName)
      reply.pair("outputenabled", server.served.isEnabled)
    },
    ServedCommand("enableoutput", .admin, 1) { server, _, arguments, _ throws(CommandError) in
      try server.checkOutput(arguments)
      server.served.setEnabled(true)
    },
    ServedCommand("disableoutput", .admin, 1) { server, _, arguments, _ throws(CommandError) in
      try server.checkOutput(arguments)
      server.served.setEnabled(false)
    },
    ServedCommand("toggleoutput", .admin, 1) { server, _, arguments, _ throws(CommandError) in
      try server.checkOutput(arguments)
      server.served.setEnabled(!server.served.isEnabled)
    },
    ServedCommand("outputset", .admin, 3) { server, _, arguments, _ throws(CommandError) in
      try server.checkOutput(arguments)
      throw CommandError(.argument, "no attribute of this output can be set")
    },
  ]

  /// There is one output.
  private func checkOutput(_ arguments: CommandArguments) throws(CommandError) {
    guard try arguments.unsigned(0) == 0 else {
      throw CommandError(.noExist, "No such audio output")
    }
  }
}

extension CommandArguments {
  fileprivate func oneShot(_ index: Int, _ mode: String) throws(CommandError) -> OneShot {
    guard let value = OneShot(rawValue: self[index]) else {
      throw CommandError(.argument, "Unrecognized \(mode) mode, expected 0, 1, or oneshot")
    }
    return value
  }
}
