// SPDX-License-Identifier: Apache-2.0
import CFaults
import Foundation
import Glibc
import TestServers
import Testing

/// What is between a client and its server hands on what the server says as it was said.
@Suite struct FarServerTests {
  // A server says both at once. A client that was left behind the first kept the memory that had come along: two
  // descriptors of it at the end of half an hour of chaos.
  @Test func `a small packet's header is not handed on before the rest`() async throws {
    try await onOwnThread {
      let folder = FileManager.default.temporaryDirectory.path
      let path = "\(folder)/attacca-\(UUID().uuidString.prefix(8))"
      defer { for end in ["", "-far"] { unlink(path + end) } }
      let listener = makeSocket(at: path, bind)
      #expect(listen(listener, 1) == 0)
      let far = try #require(far_server_start("\(path)-far", path))
      defer { far_server_stop(far) }
      let client = makeSocket(at: "\(path)-far", connect)
      let server = accept(listener, nil, nil)
      defer { for file in [listener, client, server] { close(file) } }
      let header = [0, 0, 0, 12] + [UInt8](repeating: 255, count: 16)
      #expect(send(server, header, header.count, 0) == header.count)
      var watched = pollfd(fd: client, events: Int16(POLLIN), revents: 0)
      #expect(poll(&watched, 1, 100) == 0)
      #expect(send(server, header, 12, 0) == 12)
      #expect(poll(&watched, 1, 10_000) == 1)
      var heard = [UInt8](repeating: 0, count: 64)
      #expect(recv(client, &heard, heard.count, 0) == 32)
      #expect(Array(heard[..<32]) == header + header[..<12])
    }
  }
}
