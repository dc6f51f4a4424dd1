// SPDX-License-Identifier: Apache-2.0

// Commands by which clients talk to each other.
extension MusicServer {
  static let channelCommands: [ServedCommand] = [
    ServedCommand("subscribe", .read, 1) { server, client, arguments, _ throws(CommandError) in
      guard ChannelMessage.isName(arguments[0]) else {
        throw CommandError(.argument, "invalid channel name")
      }
      guard client.options.channels.count < mostChannels else {
        throw CommandError(.exist, "subscription list is full")
      }
      guard client.options.channels.insert(arguments[0]).inserted else {
        throw CommandError(.exist, "already subscribed to this channel")
      }
      server.change([.subscription])
    },
    ServedCommand("unsubscribe", .read, 1) { server, client, arguments, _ throws(CommandError) in
      guard client.options.channels.remove(arguments[0]) != nil else {
        throw CommandError(.noExist, "not subscribed to this channel")
      }
      server.change([.subscription])
    },
    ServedCommand("channels", .read, 0) { server, _, _, reply throws(CommandError) in
      let all = Set(server.clients.values.flatMap(\.options.channels))
      for channel in all.sorted() { reply.pair("channel", channel) }
    },
    ServedCommand("readmessages", .read, 0) { _, client, _, reply throws(CommandError) in
      for message in client.options.messages {
        reply.pair("channel", message.channel)
        reply.pair("message", message.text)
      }
      client.options.messages = []
    },
    ServedCommand("sendmessage", .control, 2) { server, _, arguments, _ throws(CommandError) in
      try server.send(ChannelMessage(channel: arguments[0], text: arguments[1]))
    },
  ]

  /// Channels of one client, at most.
  private static let mostChannels = 16

  private func send(_ message: ChannelMessage) throws(CommandError) {
    guard ChannelMessage.isName(message.channel) else {
      throw CommandError(.argument, "invalid channel name")
    }
    var isHeard = false
    for client in clients.values where client.options.channels.contains(message.channel) {
      guard client.options.messages.count < ChannelMessage.most else { continue }
      isHeard = true
      client.options.messages.append(message)
      // Who listens to other channels hears of nothing.
      if let text = client.state.note([.message]) { client.send(Array(text.utf8)) }
    }
    guard isHeard else {
      throw CommandError(.noExist, "nobody is subscribed to this channel")
    }
  }
}
