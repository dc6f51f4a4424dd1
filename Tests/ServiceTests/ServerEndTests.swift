// SPDX-License-Identifier: Apache-2.0

import Attacca
import TestFixtures
import Testing

@testable import AttaccaService

/// The end of a service whose player still tells of something.
@Suite struct ServerEndTests {
  @Test func `what the player tells while the service ends is told to nobody`() throws {
    let folder = try TemporaryFolder()
    var here: ServedHere? = try ServedHere(in: folder)
    weak let server = here?.server
    let served = try #require(here?.server.served)
    here = nil
    #expect(server == nil)
    // As where the server goes between the look at it and the call: it read an unowned reference, and trapped.
    served.note(.didFallAsleep)
  }
}
