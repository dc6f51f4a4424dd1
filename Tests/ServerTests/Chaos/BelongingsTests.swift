// SPDX-License-Identifier: Apache-2.0

import Testing

@Suite struct BelongingsTests {
  // Two eventfds were "left" by a player whose connection was cut while it was made.
  @Test func `what libpulse leaves of a connection that ends early is nobody's`() {
    let before = Belongings(files: [Belongings.eventfd: 11, "pipe:[]": 11])
    let left = Belongings(files: [Belongings.eventfd: 13, "pipe:[]": 11])
    let more = Belongings(files: [Belongings.eventfd: 11, "pipe:[]": 12])
    #expect([left.areWithin(before), more.areWithin(before)] == [true, false])
  }
}
