// SPDX-License-Identifier: Apache-2.0

import CGnuTLS

/// First half of the SHA-256 of some bytes, by GnuTLS.
struct CacheDigest: Hashable {
  static let size = 16
  /// Letters of `text`.
  static let letters = 2 * size
  let bytes: [UInt8]

  /// Digest of `content`; nil where GnuTLS is not there.
  init?(of content: UnsafeRawBufferPointer) {
    guard attacca_gnutls_load() else { return nil }
    var whole = [UInt8](repeating: 0, count: 32)
    let code = attacca_gnutls_hash_fast(
      GNUTLS_DIG_SHA256, content.baseAddress, content.count, &whole)
    guard code == 0 else { return nil }
    bytes = Array(whole.prefix(Self.size))
  }

  init?(of content: [UInt8]) {
    guard let digest = content.withUnsafeBytes({ CacheDigest(of: $0) }) else { return nil }
    self = digest
  }

  /// True for the `text` of some digest.
  static func isText(_ text: some StringProtocol) -> Bool {
    text.utf8.count == letters
      && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
  }

  /// Hexadecimal, in small letters.
  var text: String {
    bytes.map { byte in
      let text = String(byte, radix: 16)
      return byte < 16 ? "0" + text : text
    }.joined()
  }
}
