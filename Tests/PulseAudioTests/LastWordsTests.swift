// SPDX-License-Identifier: Apache-2.0
import CDescriptors
import Foundation
import Glibc
import PulseAudio
import TestServers
import Testing

/// A server that goes while it lets a client in, in the midst of what it says.
@Suite struct LastWordsTests {
  /// One client's server, which speaks as PulseAudio 16.1 does.
  private struct Server {
    let listener: Int32
    let file: Int32

    /// Takes all that the client says until it has said so many packets.
    private func hear(_ packets: Int, on client: Int32) {
      for _ in 0..<packets {
        var header = [UInt8](repeating: 0, count: 20)
        guard recv(client, &header, 20, Int32(MSG_WAITALL)) == 20 else { return }
        var rest = [UInt8](repeating: 0, count: Int(header[2]) << 8 | Int(header[3]))
        guard recv(client, &rest, rest.count, Int32(MSG_WAITALL)) == rest.count else {
          return
        }
      }
    }

    private func header(_ count: Int) -> [UInt8] {
      [0, 0, 0, UInt8(count), 255, 255, 255, 255] + [UInt8](repeating: 0, count: 12)
    }

    private func words(_ numbers: UInt32...) -> [UInt8] {
      numbers.flatMap { number in
        [UInt8(ascii: "L")] + (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
      }
    }

    /// Lets a client in and offers it a file of memory, the packet's rest as the last words.
    func serve() {
      let client = accept(listener, nil, nil)
      defer { close(client) }
      hear(1, on: client)
      // A reply to the first question: version 35, with memory that is shared by files.
      let reply = words(2, 0, 35 | 0xC000_0000)
      let first = header(reply.count) + reply
      #expect(send(client, first, first.count, 0) == first.count)
      let offer = words(103, .max, 7)
      #expect(attacca_send_descriptors(client, header(offer.count), 20, [file], 1) == 20)
      var unread: Int32 = 1
      while unread > 0, ioctl(client, UInt(TIOCOUTQ), &unread) == 0 { usleep(100) }
      #expect(send(client, offer, offer.count, 0) == offer.count)
    }
  }

  private func copies(of file: Int32) -> Int {
    func target(_ file: String) -> String? {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(file)")
    }
    let files = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return files.count { target($0) == target("\(file)") }
  }

  /// A file of that memory was left at the end of half an hour of chaos (SEED=755646).
  @Test func `a packet whose header came with a file is read to its end`() async throws {
    try await onOwnThread {
      let folder = FileManager.default.temporaryDirectory.path
      let file = attacca_memory_file("last words")
      #expect(ftruncate(file, 4_096) == 0)
      defer { close(file) }
      for _ in 0..<20 {
        let path = "\(folder)/attacca-\(UUID().uuidString.prefix(8))"
        let listener = makeSocket(at: path, bind)
        defer {
          close(listener)
          unlink(path)
        }
        #expect(listen(listener, 1) == 0)
        let server = Server(listener: listener, file: file)
        let served = DispatchSemaphore(value: 0)
        Thread {
          server.serve()
          served.signal()
        }.start()
        #expect(throws: PulseError.self) {
          _ = try PulseConnection(server: "unix:\(path)", applicationName: "attacca tests")
        }
        served.wait()
        #expect(copies(of: file) == 1)
      }
    }
  }
}
