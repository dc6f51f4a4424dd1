// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Arithmetic of gains.
package enum Decibels {
  /// The factor of a gain of `decibels`: 1 for 0, and to the bit what the formula 10^(dB/20) gives in 64 bits,
  /// rounded to 32.
  package static func factor(_ decibels: Float) -> Float {
    decibels == 0 ? 1 : Float(pow(10, Double(decibels) / 20))
  }
}
