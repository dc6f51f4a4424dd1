// SPDX-License-Identifier: Apache-2.0

import Testing

@Suite struct BelongingsTests {
  // Two eventfds were "left" by a player whose connection was cut while it was made, and a file of memory by one whose
  // server was killed.
  @Test(arguments: Belongings.leftByLibpulse)
  func `what libpulse leaves of a connection that ends early is nobody's`(kind: String) {
    let before = Belongings(files: [kind: 11, "pipe:[]": 11])
    let left = Belongings(files: [kind: 13, "pipe:[]": 11])
    let more = Belongings(files: [kind: 11, "pipe:[]": 12])
    #expect([left.areWithin(before), more.areWithin(before)] == [true, false])
  }
}
