// SPDX-License-Identifier: Apache-2.0

/// A glide of the ratio that follows the clocks: from one to another in 2 s of the device, and a little
/// beyond and back.
struct EnqueuingGlide {
  let from: Int
  let to: Int
  /// Frames of the device in it.
  let length: Int
  /// From which time on it is made anew; nil where that is not known.
  let begin: Double?

  /// Seconds by which a frame is early that lies at `part` of the glide.
  func offset(at part: Double) -> Double {
    let rest = 1 - min(1, max(0, part))
    return Double(length) * (1 / Double(from) - 1 / Double(to)) * (1 - rest) * rest * rest
  }
}
