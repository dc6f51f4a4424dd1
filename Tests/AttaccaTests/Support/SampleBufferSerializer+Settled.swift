// SPDX-License-Identifier: Apache-2.0

import Dispatch

@testable import Attacca

extension SampleBufferSerializer {
  /// Whether everything that was asked for has been carried out; not on its queue.
  var isSettled: Bool {
    // Where nothing plays, another direction comes with what plays next.
    queue.sync { !state.isChanging && (state.playing == nil || !renderer.isStale) }
  }
}
