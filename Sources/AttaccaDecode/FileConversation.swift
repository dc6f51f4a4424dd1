// SPDX-License-Identifier: Apache-2.0

import DecodeMessages

/// Answers what is asked about one file, in a process of its own, until nobody can ask any more.
final class FileConversation {
  private let file: OpenFile
  private let socket: ConversationSocket
  private var reader: FrameReader?
  private var counter: PacketCounter?

  init(file: OpenFile, socket: ConversationSocket) { (self.file, self.socket) = (file, socket) }

  /// Returns once the other side has closed its socket.
  func run() {
    do throws(DecodeFailure) {
      Work.begins()
      let reader = try FrameReader(file)
      self.reader = reader
      guard send(DecodeReply.opened(reader.description).bytes) else { return }
    } catch {
      _ = send(DecodeReply.failed(error).bytes)
      return
    }
    while let request = receive() {
      Work.begins()
      do throws(DecodeFailure) {
        guard try answer(request) else { return }
      } catch {
        guard send(DecodeReply.failed(error).bytes) else { return }
      }
    }
  }

  /// Tells who speaks another version of the protocol.
  func refuse(_ version: UInt32) {
    let failure = DecodeFailure(
      .otherVersion, call: "attacca-decode",
      cause:
        "it speaks version \(DecodeProtocol.version) of the protocol, and was asked in \(version)")
    _ = send(DecodeReply.failed(failure).bytes)
  }

  /// - Returns: false where nobody listens any more.
  private func answer(_ request: DecodeRequest) throws(DecodeFailure) -> Bool {
    guard let reader else { return false }
    switch request {
    case .read(let count):
      var isHeard = false
      try reader.read(count) { header, samples in
        isHeard = send(DecodeReply.frames(header).bytes) && socket.send(samples)
      }
      return isHeard
    case .seek(let frame):
      try reader.seek(to: frame)
      return send(DecodeReply.done.bytes)
    case .chapters(let number):
      return send(DecodeReply.chapters(reader.chapters(from: number)).bytes)
    case .count:
      if counter == nil {
        counter = try PacketCounter(
          file, reader.description, firstPacket: reader.firstPacket)
      }
      guard let counter else { return false }
      return send(DecodeReply.counted(try counter.advance()).bytes)
    case .bytes, .noBytes:
      // Nothing was asked for.
      return false
    }
  }

  private func send(_ bytes: [UInt8]) -> Bool { socket.send(bytes) }

  private func receive() -> DecodeRequest? {
    Work.rests()
    return socket.receive()
  }
}
