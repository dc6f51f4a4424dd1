// SPDX-License-Identifier: Apache-2.0

/// The language of `attacca-decode` and of who starts it.
///
/// Over the helper's descriptor 3, a SOCK_SEQPACKET socket, comes one message for each file: a `ShownFile` behind
/// `version` in four bytes, and two descriptors, the file and a SOCK_STREAM socket for it; the socket alone where the bytes
/// are to be asked for. On that socket the helper sends the reply to the opening, and then one reply to each
/// `DecodeRequest`; in front of a reply it may ask for bytes (`DecodeReply.wants`), each time `.bytes` or `.noBytes` is the
/// answer. Numbers stand with their lowest byte first.
package enum DecodeProtocol {
  /// Counts up with each change of a message.
  package static let version: UInt32 = 3
  /// The helper's descriptor for new files.
  package static let controlDescriptor: Int32 = 3
  /// Bytes of a request.
  package static let requestSize = 16
  /// Bytes of a reply in front of its payload.
  package static let headerSize = 8
  /// Bytes of a payload without samples, at most.
  package static let mostText = 1 << 20
  /// Chapters that one reply tells, at most, and those of a file.
  package static let mostChapters = 200
  package static let mostChaptersOfFile = 10_000
  /// Frames that one request may ask for, at most.
  package static let mostFrames = 1 << 16
  /// Bytes of a file that the helper may ask for at once.
  package static let mostBytes = 1 << 16
}
