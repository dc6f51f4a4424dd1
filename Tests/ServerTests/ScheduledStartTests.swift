// SPDX-License-Identifier: Apache-2.0

import TestServers
import Testing

@Suite struct ScheduledStartOnServerTests {
  @Test func `ten starts are heard at the frame of the clock and at their host times`() async throws
  {
    try await onOwnThread { try ScheduledStarts().check(count: 10) }
  }
}
