// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Coefficients of a filter of the second order, of which the first one below is 1.
struct Biquad: Equatable {
  /// Of this sample and the two before, going in.
  var b: (Double, Double, Double)
  /// Of the two samples before, coming out.
  var a: (Double, Double)

  /// The filter of `band` at `sampleRate`, by the Audio EQ Cookbook; nil where it changes nothing, or lies
  /// beyond half of the rate.
  init?(_ band: EqualizerEffect.Band, sampleRate: Int) {
    let isPass = band.shape == .lowPass || band.shape == .highPass
    guard isPass || band.gain != 0, band.frequency < Double(sampleRate) / 2 else { return nil }
    let gain = pow(10, band.gain / 40)
    let angle = 2 * Double.pi * band.frequency / Double(sampleRate)
    let (cosine, alpha) = (cos(angle), sin(angle) / (2 * band.q))
    let slope = 2 * gain.squareRoot() * alpha
    let (sum, difference) = (gain + 1, gain - 1)
    let a0: Double
    switch band.shape {
    case .peaking:
      b = (1 + alpha * gain, -2 * cosine, 1 - alpha * gain)
      a0 = 1 + alpha / gain
      a = (-2 * cosine, 1 - alpha / gain)
    case .lowShelf:
      b = (
        gain * (sum - difference * cosine + slope), 2 * gain * (difference - sum * cosine),
        gain * (sum - difference * cosine - slope)
      )
      a0 = sum + difference * cosine + slope
      a = (-2 * (difference + sum * cosine), sum + difference * cosine - slope)
    case .highShelf:
      b = (
        gain * (sum + difference * cosine + slope), -2 * gain * (difference + sum * cosine),
        gain * (sum + difference * cosine - slope)
      )
      a0 = sum - difference * cosine + slope
      a = (2 * (difference - sum * cosine), sum - difference * cosine - slope)
    case .lowPass:
      b = ((1 - cosine) / 2, 1 - cosine, (1 - cosine) / 2)
      a0 = 1 + alpha
      a = (-2 * cosine, 1 - alpha)
    case .highPass:
      b = ((1 + cosine) / 2, -(1 + cosine), (1 + cosine) / 2)
      a0 = 1 + alpha
      a = (-2 * cosine, 1 - alpha)
    }
    b = (b.0 / a0, b.1 / a0, b.2 / a0)
    a = (a.0 / a0, a.1 / a0)
  }

  /// Frames in which what it yields falls to `part` once nothing goes in.
  func decay(to part: Double) -> Int {
    let root = a.0 * a.0 / 4 - a.1
    let radius = root > 0 ? abs(a.0) / 2 + root.squareRoot() : a.1.squareRoot()
    guard radius > 0 else { return 2 }
    guard radius < 1 else { return .max / 1_024 }
    return Int(min(log(part) / log(radius), 1e9)) + 2
  }

  static func == (x: Biquad, y: Biquad) -> Bool { x.b == y.b && x.a == y.a }
}
