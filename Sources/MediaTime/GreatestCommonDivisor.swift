// SPDX-License-Identifier: Apache-2.0

/// Largest number that divides `a` and `b`; 1 if both are 0.
package func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int {
  Int(greatestCommonDivisor(UInt64(a.magnitude), UInt64(b.magnitude)))
}

/// The largest number that divides both; 1 if both are 0.
func greatestCommonDivisor(_ a: UInt64, _ b: UInt64) -> UInt64 {
  var (a, b) = (a, b)
  while b != 0 { (a, b) = (b, a % b) }
  return max(a, 1)
}

/// The largest number that divides both; 1 if both are 0.
///
/// Goes on in 64 bits as soon as both fit, which for the times of a playlist is after one step at
/// most.
func greatestCommonDivisor(_ a: UInt128, _ b: UInt128) -> UInt128 {
  var (a, b) = (a, b)
  while b != 0 {
    if let a = UInt64(exactly: a), let b = UInt64(exactly: b) {
      return UInt128(greatestCommonDivisor(a, b))
    }
    (a, b) = (b, a % b)
  }
  return max(a, 1)
}
