// SPDX-License-Identifier: Apache-2.0

import DecodeMessages
import Foundation
import Testing

@testable import SoundFiles

/// What comes of a file whose helper ends at once.
@Suite struct DecodingProgramTests {
  private final class Started: @unchecked Sendable {
    // @unchecked: written by the opening that the test waits for.
    var process: pid_t = 0
  }

  /// A helper that has ended with `status` before the first file is sent to it.
  private static func helper(
    endingWith status: Int, _ started: Started = Started()
  ) -> DecodingProgram {
    DecodingProgram { _, _ throws(SoundFileError) in
      var ends: [Int32] = [-1, -1]
      #expect(socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &ends) == 0)
      var child: pid_t = 0
      let words = ["sh", "-c", "exit \(status)"].map { (word: String) in strdup(word) }
      defer { for word in words { free(word) } }
      #expect(posix_spawn(&child, "/bin/sh", nil, nil, words + [nil], nil) == 0)
      // Ended, and not yet waited for.
      var ending = siginfo_t()
      #expect(waitid(P_PID, id_t(child), &ending, WEXITED | WNOWAIT) == 0)
      close(ends[1])
      started.process = child
      return DecodingProgram.Running(process: child, control: ends[0])
    }
  }

  @Test(arguments: [(127, DecodingProgram.Ending.unloadable), (0, .over)])
  func `a helper that ended before a file was sent to it is told by how it ended`(
    status: Int, ending: DecodingProgram.Ending
  ) throws {
    let helper = Self.helper(endingWith: status)
    let file = try RegularFile(path: BytePath("/bin/sh"))
    let socket = try helper.open(file, ShownFile(window: 0..<file.size), kind: "MPEG-4")
    defer { close(socket) }
    var byte: UInt8 = 0
    #expect(read(socket, &byte, 1) == 0)
    #expect(helper.ending() == ending)
  }

  @Test(.timeLimit(.minutes(5)))
  func `a helper that has ended is waited for, also where no file follows`() async throws {
    let started = Started()
    let helper = Self.helper(endingWith: 0, started)
    let file = try RegularFile(path: BytePath("/bin/sh"))
    close(try helper.open(file, ShownFile(window: 0..<file.size), kind: "MPEG-4"))
    // It is gone, not only over: nobody can signal it.
    while kill(started.process, 0) == 0 { await Task.yield() }
    #expect(errno == ESRCH)
  }
}
