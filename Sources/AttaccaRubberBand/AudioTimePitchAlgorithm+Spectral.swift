// SPDX-License-Identifier: Apache-2.0

public import Attacca

extension AudioTimePitchAlgorithm {
  /// Keeps the pitch by changing the spectrum's pace: for music; from 1/4 to 4.
  ///
  /// Rubber Band's finer engine. It is under the GPL, version 2 or later: so is, as a whole, a program
  /// that imports this module.
  public static let spectral = AudioTimePitchAlgorithm(name: "spectral", rates: 0.25...4) {
    RubberBandStretcher(speed: $0, format: $1)
  }
}
