// SPDX-License-Identifier: Apache-2.0

/// Frame numbers as samples: number *n* is (*n* mod `period` + 1) · 2⁻²³, which Float32 and 24 bits
/// hold exactly, and which is never silence.
enum ReferenceCode {
  /// Frames after which the samples repeat: 87 s at 48 kHz.
  static let period = 1 << 22
  private static let scale = Float(1 << 23)

  /// The sample of a frame, -0.5 < sample ≤ 0.5.
  static func sample(of number: Int) -> Float { Float(number % period + 1) / scale }

  /// A frame's number modulo `period`; nil for samples that no number has.
  static func residue(of sample: Float) -> Int? {
    let value = sample * scale
    guard value >= 1, value <= Float(period), value == value.rounded() else { return nil }
    return Int(value) - 1
  }

  /// The number nearest to `expected` that has the residue.
  static func number(of residue: Int, near expected: Int) -> Int {
    let distance = (residue - expected % period + period) % period
    return expected + (distance < period / 2 ? distance : distance - period)
  }
}
