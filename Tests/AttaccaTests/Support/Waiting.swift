// SPDX-License-Identifier: Apache-2.0

import Attacca
import Foundation
@testable import Rendering
import Testing

/// Tries until `condition` holds, for a minute: nothing here takes so long on any machine.
func wait(
  sourceLocation: SourceLocation = #_sourceLocation, until condition: () -> Bool
) {
  let deadline = HostTime.now() + 60_000_000_000
  while !condition() {
    guard HostTime.now() < deadline else {
      Issue.record("nothing came of it in a minute", sourceLocation: sourceLocation)
      return
    }
    sched_yield()
  }
}
