// SPDX-License-Identifier: Apache-2.0

/// The order people expect of file names: "2 Finale" before "10 Coda", capitals or not.
enum NaturalOrder {
  /// Tells whether `a` comes before `b`; names that differ only in capitals or leading zeros fall back to
  /// the order of their characters and bytes, so that no two names are equal.
  static func precedes(_ first: BytePath, _ second: BytePath) -> Bool {
    let (a, b) = (first.text, second.text)
    let x = Array(a.lowercased().unicodeScalars)
    let y = Array(b.lowercased().unicodeScalars)
    var (i, j) = (0, 0)
    while i < x.count, j < y.count {
      guard isDigit(x[i]), isDigit(y[j]) else {
        if x[i] != y[j] { return x[i] < y[j] }
        (i, j) = (i + 1, j + 1)
        continue
      }
      let left = number(in: x, from: &i)
      let right = number(in: y, from: &j)
      // More digits, zeros in front left out, are a larger number of any size.
      if left.count != right.count { return left.count < right.count }
      if !left.elementsEqual(right) { return left.lexicographicallyPrecedes(right) }
    }
    if x.count - i != y.count - j { return x.count - i < y.count - j }
    return a == b ? first.bytes.lexicographicallyPrecedes(second.bytes) : a < b
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private static func number(
    in name: [Unicode.Scalar], from i: inout Int
  ) -> ArraySlice<Unicode.Scalar> {
    let start = i
    while i < name.count, isDigit(name[i]) { i += 1 }
    return name[start..<i].drop { $0 == "0" }
  }
}
