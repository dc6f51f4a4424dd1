// SPDX-License-Identifier: Apache-2.0

/// Message from one client to others, by a channel that they listen to.
struct ChannelMessage: Hashable, Sendable {
  let channel: String
  let text: String

  /// Messages that are kept for a client, at most.
  static let most = 64

  /// Tells whether a text may be the name of a channel.
  static func isName(_ text: String) -> Bool {
    !text.isEmpty
      && text.unicodeScalars.allSatisfy {
        $0.isASCII && ($0.properties.isAlphabetic || "0123456789-_.:".unicodeScalars.contains($0))
      }
  }
}
