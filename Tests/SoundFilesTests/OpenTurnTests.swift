// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Testing

@testable import SoundFiles

@Suite struct OpenTurnTests {
  @Test func `an open that hangs is waited for once, and gives back nothing when it is late`() {
    let clock = ContinuousClock()
    let turn = OpenTurn(timeout: .milliseconds(200))
    turn.take {
      #expect(clock.measure { turn.take {} } >= .milliseconds(190))
      // The one that took the turn over gave it back: no one else waits for the hung open.
      #expect(clock.measure { turn.take {} } < .milliseconds(190))
    }
    // Were the late one to give a turn back too, two would be let in here.
    turn.take {
      #expect(clock.measure { turn.take {} } >= .milliseconds(190))
    }
  }
}
