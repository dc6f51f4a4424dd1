// SPDX-License-Identifier: Apache-2.0

import DecodeMessages
import Glibc

/// The socket on which a process that decodes is asked, and asks for the bytes of a file that it does not have.
final class ConversationSocket {
  private let descriptor: Int32

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// - Returns: false where nobody listens any more.
  func send(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { send($0) } }

  func send(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var done = 0
    while done < bytes.count {
      let sent = Glibc.send(
        descriptor, bytes.baseAddress! + done, bytes.count - done, Int32(MSG_NOSIGNAL))
      if sent > 0 {
        done += sent
      } else if errno != EINTR {
        return false
      }
    }
    return true
  }

  /// nil once there is nobody, and for what is no request.
  func receive() -> DecodeRequest? {
    var bytes = [UInt8](repeating: 0, count: DecodeProtocol.requestSize)
    guard bytes.withUnsafeMutableBytes({ fill($0) }) else { return nil }
    return DecodeRequest(bytes)
  }

  private func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Bool {
    var done = 0
    while done < buffer.count {
      let received = recv(descriptor, buffer.baseAddress! + done, buffer.count - done, 0)
      if received > 0 {
        done += received
      } else if received == 0 || errno != EINTR {
        return false
      }
    }
    return true
  }

  /// Asks for bytes of the file, and waits for them.
  ///
  /// - Returns: how many there are, 0 at the end; or the negated `errno` of a failure.
  func bytes(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let wanted = min(buffer.count, DecodeProtocol.mostBytes)
    guard send(DecodeReply.wants(offset: offset, count: wanted).bytes) else { return -Int(EPIPE) }
    switch receive() {
    case .bytes(let count) where count <= wanted:
      return fill(UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])) ? count : -Int(EPIPE)
    case .noBytes(let code): return code > 0 ? -Int(code) : -Int(EIO)
    default: return -Int(EPROTO)
    }
  }
}
