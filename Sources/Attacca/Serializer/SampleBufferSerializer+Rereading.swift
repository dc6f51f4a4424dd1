// SPDX-License-Identifier: Apache-2.0

import Dispatch

extension SampleBufferSerializer {
  /// Has what is not heard yet read again; any thread.
  func readAgain() { queue.async { [weak self] in self?.readUnheardAgain() } }

  /// The same; on the serialization queue.
  func readUnheardAgain() { perform(state.readAgain(shared.snapshot, on: lineReading)) }
}
