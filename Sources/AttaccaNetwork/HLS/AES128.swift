// SPDX-License-Identifier: Apache-2.0

/// AES with keys of 128 bits (FIPS 197), backwards, in chained blocks (CBC) with the padding of PKCS #7.
struct AES128 {
  /// Eleven keys of a round, in order.
  private let rounds: [UInt8]

  /// - Precondition: 16 bytes.
  init(key: [UInt8]) {
    var words = key
    var constant: UInt8 = 1
    for i in 4..<44 {
      var word = Array(words[(4 * i - 4)..<(4 * i)])
      if i % 4 == 0 {
        word = [word[1], word[2], word[3], word[0]].map { Self.box[Int($0)] }
        word[0] ^= constant
        constant = Self.doubled(constant)
      }
      for j in 0..<4 { words.append(words[4 * i - 16 + j] ^ word[j]) }
    }
    rounds = words
  }

  /// The bytes that `bytes` are made of; nil for what is no multiple of 16 bytes, or has no padding.
  func decrypt(_ bytes: [UInt8], start: [UInt8]) -> [UInt8]? {
    guard !bytes.isEmpty, bytes.count % 16 == 0, start.count == 16 else { return nil }
    var plain = [UInt8](repeating: 0, count: bytes.count)
    plain.withUnsafeMutableBufferPointer { out in
      bytes.withUnsafeBufferPointer { input in
        Self.tables.withUnsafeBufferPointer { tables in
          rounds.withUnsafeBufferPointer { keys in
            var (block, last) = ([UInt8](repeating: 0, count: 16), start)
            for place in stride(from: 0, to: input.count, by: 16) {
              for i in 0..<16 { block[i] = input[place + i] }
              Self.decrypt(&block, keys, tables)
              for i in 0..<16 {
                out[place + i] = block[i] ^ last[i]
                last[i] = input[place + i]
              }
            }
          }
        }
      }
    }
    let padding = Int(plain[plain.count - 1])
    guard (1...16).contains(padding), plain.suffix(padding).allSatisfy({ $0 == padding }) else {
      return nil
    }
    plain.removeLast(padding)
    return plain
  }

  private static func decrypt(
    _ block: inout [UInt8], _ keys: UnsafeBufferPointer<UInt8>,
    _ tables: UnsafeBufferPointer<UInt8>
  ) {
    func times(_ table: Int, _ byte: UInt8) -> UInt8 { tables[256 * table + Int(byte)] }
    for i in 0..<16 { block[i] ^= keys[160 + i] }
    for round in stride(from: 9, through: 0, by: -1) {
      let old = block
      // Rows go back to the right, and bytes through the box backwards.
      for column in 0..<4 {
        for row in 0..<4 {
          block[4 * column + row] =
            times(0, old[4 * ((column - row + 4) % 4) + row]) ^ keys[16 * round + 4 * column + row]
        }
      }
      guard round > 0 else { return }
      for column in stride(from: 0, to: 16, by: 4) {
        let (a, b, c, d) = (block[column], block[column + 1], block[column + 2], block[column + 3])
        block[column] = times(4, a) ^ times(2, b) ^ times(3, c) ^ times(1, d)
        block[column + 1] = times(1, a) ^ times(4, b) ^ times(2, c) ^ times(3, d)
        block[column + 2] = times(3, a) ^ times(1, b) ^ times(4, c) ^ times(2, d)
        block[column + 3] = times(2, a) ^ times(3, b) ^ times(1, c) ^ times(4, d)
      }
    }
  }

  private static func doubled(_ byte: UInt8) -> UInt8 { byte << 1 ^ (byte & 0x80 != 0 ? 0x1B : 0) }

  private static func product(_ a: UInt8, _ b: UInt8) -> UInt8 {
    var (sum, a, b): (UInt8, UInt8, UInt8) = (0, a, b)
    while b != 0 {
      if b & 1 != 0 { sum ^= a }
      a = doubled(a)
      b >>= 1
    }
    return sum
  }

  /// The box: the inverse in the field, and a sum of it turned.
  private static let box: [UInt8] = (0..<256).map { value in
    let byte = UInt8(value)
    var inverse: UInt8 = 0
    for other: UInt8 in 1...255 where product(byte, other) == 1 { inverse = other }
    var sum = inverse ^ 0x63
    for turn: UInt8 in 1...4 { sum ^= inverse << turn | inverse >> (8 - turn) }
    return sum
  }

  /// The box backwards, and products with 9, 11, 13 and 14.
  private static let tables: [UInt8] = {
    var back = [UInt8](repeating: 0, count: 256)
    for (i, value) in box.enumerated() { back[Int(value)] = UInt8(i) }
    return back + [9, 11, 13, 14].flatMap { by in (0..<256).map { product(UInt8($0), by) } }
  }()
}
