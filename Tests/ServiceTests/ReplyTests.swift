// SPDX-License-Identifier: Apache-2.0

import Dispatch
import TestFixtures
import Testing

@testable import AttaccaService

struct ReplyTests {
  @Test(arguments: [0, 1, 951_782_399, 951_782_400, 1_764_041_083, 4_102_444_800, -1])
  func `a moment is told as ISO 8601`(seconds: Int64) {
    var reply = Reply()
    reply.moment("m", seconds)
    #expect(String(decoding: reply.bytes, as: UTF8.self) == "m: \(Timestamp.text(seconds))\n")
  }

  @Test(arguments: [0, 5, 999, 1_000, 61_050, 9_007_199_254_740])
  func `seconds have three places`(milliseconds: Int64) {
    var reply = Reply()
    reply.seconds("s", milliseconds: milliseconds)
    let text = Decimal.text(milliseconds: milliseconds)
    #expect(String(decoding: reply.bytes, as: UTF8.self) == "s: \(text)\n")
  }

  @Test func `numbers are told with their sign`() {
    var reply = Reply()
    for number in [0, 7, -7, 100, .max, .min] { reply.pair("n", number) }
    let text = "n: 0\nn: 7\nn: -7\nn: 100\nn: \(Int.max)\nn: \(Int.min)\n"
    #expect(String(decoding: reply.bytes, as: UTF8.self) == text)
  }

  /// A client that takes nothing has a piece made for it and no more.
  @Test func `a long reply is made as the client takes it`() throws {
    let folder = try TemporaryFolder()
    for number in 1...4 { try ServedHere.makeSong(folder, "\(number).wav") }
    let service = try ServedHere(in: folder)
    for _ in 0..<1_500 { service("add /") }
    let whole = service("playlistinfo")
    #expect(whole.utf8.count > 4 * Reply.piece)
    let output = ServedHere.Output()
    let client = ServedClient(options: ClientOptions(permissions: .all, isLocal: true)) {
      output.bytes += $0
    } takesMore: {
      output.bytes.count < Reply.piece
    } close: {
      output.isClosed = true
    }
    var (taken, most, turns) = ([UInt8](), 0, 0)
    var text = "command_list_ok_begin\nplaylistinfo\ndeleteid 3\nping\ncommand_list_end\nping\n"
    repeat {
      service.queue.sync {
        text.withUTF8 { service.server.receive(UnsafeRawBufferPointer($0), from: client) }
        text = ""
        most = max(most, output.bytes.count)
        taken += output.bytes
        output.bytes = []
      }
      turns += 1
    } while client.isBehind
    #expect(most < 2 * Reply.piece)
    #expect(turns > 4)
    // What is told is the queue as it was when the command began.
    let lines = whole.dropLast(3)
    #expect(String(decoding: taken, as: UTF8.self) == lines + "list_OK\nlist_OK\nlist_OK\nOK\nOK\n")
    #expect(service.value("status", "playlistlength") == "5999")
  }
}
