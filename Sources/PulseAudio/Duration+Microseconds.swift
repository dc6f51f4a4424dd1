// SPDX-License-Identifier: Apache-2.0

extension Duration {
  /// Whole microseconds, as `pa_usec_t`.
  var microseconds: UInt64 {
    UInt64(components.seconds) * 1_000_000 + UInt64(components.attoseconds / 1_000_000_000_000)
  }
}
