// SPDX-License-Identifier: Apache-2.0

import DecodeMessages
import Glibc
import MediaTime

/// The socket on which a process that decodes one file is asked, and on which it is given bytes of a file that it does
/// not have; for one thread at a time.
final class HelperSocket {
  typealias Failure = HelperSession.Failure

  /// Nanoseconds for which bytes of the file have been waited for.
  private(set) var waited: UInt64 = 0
  private let descriptor: Int32
  private let file: RegularFile
  private var lent: [UInt8] = []

  /// Takes over a socket on which bytes of `file` may be asked for.
  init(_ descriptor: Int32, of file: RegularFile) {
    (self.descriptor, self.file) = (descriptor, file)
    // A process that has been stopped: whoever waits for it was given up on long ago, and is to come back.
    var limit = timeval(tv_sec: 120, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(
        descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
  }

  deinit { close(descriptor) }

  /// Blocks until there is a reply; gives the bytes that it takes.
  func reply() throws(Failure) -> DecodeReply {
    while true {
      let bytes = try receive(count: DecodeProtocol.headerSize)
      guard let header = DecodeReply.header(bytes) else { throw .senseless }
      let payload = try receive(count: header.payloadSize)
      guard let reply = DecodeReply(name: header.name, payload: payload) else { throw .senseless }
      switch reply {
      case .failed(let failure): throw .refused(failure)
      case .wants(let offset, let count): try give(count, from: offset)
      default: return reply
      }
    }
  }

  private func give(_ count: Int, from offset: Int64) throws(Failure) {
    // Of what it has it needs nobody's bytes.
    guard file.isRemote else { throw .senseless }
    if lent.count < count { lent = [UInt8](repeating: 0, count: DecodeProtocol.mostBytes) }
    let begin = HostTime.now()
    let found = lent.withUnsafeMutableBytes {
      file.readSome(at: offset, into: UnsafeMutableRawBufferPointer(rebasing: $0[..<count]))
    }
    waited += HostTime.now() - begin
    guard found >= 0 else {
      return try send(DecodeRequest.noBytes(code: Int32(clamping: -found)).bytes)
    }
    try send(DecodeRequest.bytes(count: found).bytes + lent[..<found])
  }

  func send(_ bytes: [UInt8]) throws(Failure) {
    var done = 0
    while done < bytes.count {
      let sent = bytes.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress! + done, $0.count - done, Int32(MSG_NOSIGNAL))
      }
      if sent > 0 {
        done += sent
      } else if errno != EINTR {
        throw .ended
      }
    }
  }

  private func receive(count: Int) throws(Failure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var failure: Failure?
    bytes.withUnsafeMutableBytes { buffer in
      do throws(Failure) { try receive(buffer) } catch { failure = error }
    }
    if let failure { throw failure }
    return bytes
  }

  /// Fills `buffer`.
  func receive(_ buffer: UnsafeMutableRawBufferPointer) throws(Failure) {
    var done = 0
    while done < buffer.count {
      let received = recv(descriptor, buffer.baseAddress! + done, buffer.count - done, 0)
      if received > 0 {
        done += received
      } else if received == 0 || errno != EINTR {
        throw .ended
      }
    }
  }
}

@available(*, unavailable) extension HelperSocket: Sendable {}
