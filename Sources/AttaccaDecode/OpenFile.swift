// SPDX-License-Identifier: Apache-2.0

import DecodeMessages

/// The file that a process decodes, and what of it is to be seen.
struct OpenFile {
  enum Bytes {
    case descriptor(Int32)
    /// Whoever asks for frames has them.
    case asked(ConversationSocket)
  }

  let bytes: Bytes
  let shown: ShownFile

  /// True where a place far from the last may be looked at: with bytes that come in their order all between would be
  /// waited for.
  var isSeekable: Bool { shown.supply == .descriptor || shown.supply == .asked }
}
