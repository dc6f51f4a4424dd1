// SPDX-License-Identifier: Apache-2.0

extension MediaTime: CustomStringConvertible {
  /// The time as CMTimeShow prints it, such as `{1/3 = 0.333, rounded}`; seconds to the nearest ms.
  public var description: String {
    switch kind {
    case .invalid: return "{INVALID}"
    case .indefinite: return "{INDEFINITE}"
    case .positiveInfinity: return "{+INFINITY}"
    case .negativeInfinity: return "{-INFINITY}"
    case .numeric: break
    }
    let (milliseconds, _) = RoundingMethod.default.divide(
      Int128(value) * 1000, by: Int128(timescale), growing: false)
    let (whole, rest) = milliseconds.magnitude.quotientAndRemainder(dividingBy: 1000)
    let digits = "\(1000 + rest)".dropFirst()
    return "{\(value)/\(timescale) = \(milliseconds < 0 ? "-" : "")\(whole).\(digits)"
      + (hasBeenRounded ? ", rounded" : "") + (epoch == 0 ? "" : ", epoch = \(epoch)") + "}"
  }
}
