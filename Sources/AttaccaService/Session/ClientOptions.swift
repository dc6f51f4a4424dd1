// SPDX-License-Identifier: Apache-2.0

/// Settings of one client, which it makes for itself.
struct ClientOptions: Hashable, Sendable {
  var permissions: Permissions
  /// True of a client of the Unix socket, whose user the files of this machine are open to.
  let isLocal: Bool
  /// Tags that it is told.
  var tags = Set(SongTag.allCases).subtracting([.comment])
  /// Bytes of a picture in one reply.
  var binaryLimit = 8_192
  /// Channels that it listens to.
  var channels: Set<String> = []
  /// Messages that it has not read: a channel and a text.
  var messages: [ChannelMessage] = []

  init(permissions: Permissions, isLocal: Bool) {
    (self.permissions, self.isLocal) = (permissions, isLocal)
  }
}
