// SPDX-License-Identifier: Apache-2.0

import TestServers
import Testing

/// Half a minute, however many are wanted.
@Suite(.enabled(if: Soak.minutes != nil)) struct ScheduledStartSoakTests {
  @Test func `fifty starts are heard at the frame of the clock and at their host times`()
    async throws
  {
    try await onOwnThread { try ScheduledStarts().check(count: 50) }
  }
}
