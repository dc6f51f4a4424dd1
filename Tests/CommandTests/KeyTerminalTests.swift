// SPDX-License-Identifier: Apache-2.0

@testable import AttaccaCLI
import Glibc
import Testing

/// Keys as they are read from a descriptor that was readable.
@Suite struct KeyTerminalTests {
  @Test func `what another process has read meanwhile is not waited for`() {
    var ends: [Int32] = [-1, -1]
    #expect(pipe(&ends) == 0)
    defer { close(ends[0]) }
    #expect(KeyTerminal.typedBytes(ends[0]) == [])
    #expect(write(ends[1], " q", 2) == 2)
    #expect(KeyTerminal.typedBytes(ends[0]) == [0x20, 0x71])
    #expect(KeyTerminal.typedBytes(ends[0]) == [])
    close(ends[1])
    #expect(KeyTerminal.typedBytes(ends[0]) == nil)
  }
}
