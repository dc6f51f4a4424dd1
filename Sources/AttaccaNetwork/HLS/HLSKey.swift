// SPDX-License-Identifier: Apache-2.0

import CGnuTLS
import SoundFiles

/// Key of encrypted segments (RFC 8216 §4.3.2.4): AES-128 in chained blocks with the padding of PKCS #7, by GnuTLS.
struct HLSKey {
  private let bytes: [UInt8]
  /// For people.
  private let name: String

  /// - Throws: `broken`, where `bytes` are not 16; `unsupported`, where GnuTLS is not installed.
  init(_ bytes: [UInt8], name: String) throws(SoundFileError) {
    guard bytes.count == 16 else {
      throw SoundFileError(
        .broken, path: name, call: "HLS", cause: "a key of \(bytes.count) bytes; 16 are one")
    }
    guard attacca_gnutls_load() else {
      throw SoundFileError(
        .unsupported, path: name, call: "GnuTLS",
        cause: "GnuTLS, which decrypts, is not installed; its package is libgnutls30")
    }
    (self.bytes, self.name) = (bytes, name)
  }

  /// Bytes that `secret` was made of; `start` is the block in front of the first, of 16 bytes.
  ///
  /// - Returns: nil for what is no multiple of 16 bytes, or has no padding.
  func decrypt(_ secret: [UInt8], start: [UInt8]) throws(SoundFileError) -> [UInt8]? {
    guard !secret.isEmpty, secret.count % 16 == 0, start.count == 16 else { return nil }
    var (plain, key, start) = (secret, bytes, start)
    let code = Self.decrypt(&plain, &key, &start)
    guard code == 0 else {
      throw SoundFileError(
        .unreadable, path: name, call: "gnutls_cipher_decrypt", code: code,
        cause: String(cString: attacca_gnutls_strerror(code)))
    }
    // GnuTLS 3.7 looks at the last byte alone: another key would pass once in 16 times.
    let padding = Int(plain[plain.count - 1])
    guard (1...16).contains(padding), plain.suffix(padding).allSatisfy({ $0 == padding }) else {
      return nil
    }
    plain.removeLast(padding)
    return plain
  }

  private static func decrypt(
    _ bytes: inout [UInt8], _ key: inout [UInt8], _ start: inout [UInt8]
  ) -> Int32 {
    key.withUnsafeMutableBufferPointer { key in
      start.withUnsafeMutableBufferPointer { start in
        var (keyDatum, startDatum) = (
          gnutls_datum_t(data: key.baseAddress, size: 16),
          gnutls_datum_t(data: start.baseAddress, size: 16)
        )
        var cipher: gnutls_cipher_hd_t?
        let code = attacca_gnutls_cipher_init(
          &cipher, GNUTLS_CIPHER_AES_128_CBC, &keyDatum, &startDatum)
        guard code == 0, let cipher else { return code }
        defer { attacca_gnutls_cipher_deinit(cipher) }
        return bytes.withUnsafeMutableBytes {
          attacca_gnutls_cipher_decrypt(cipher, $0.baseAddress, $0.count)
        }
      }
    }
  }
}
