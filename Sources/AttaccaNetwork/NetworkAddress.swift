// SPDX-License-Identifier: Apache-2.0

import CCurl
public import SoundFiles

/// An address of something on a network, "https://host/path": HTTP, with or without TLS.
public struct NetworkAddress: Hashable, Sendable {
  /// The address for people and for other machines: without a name and a password.
  public let text: String
  /// The user's name and password that stood in it, as "name:password"; nil for none.
  let credentials: String?

  /// The address that `text` is, RFC 3986's or near it; nil where it is none, or of another scheme.
  public init?(_ text: String) {
    guard Self.isAddress(text) else { return nil }
    self.init(text, relativeTo: nil)
  }

  /// The same of what stands in a list.
  public init?(_ path: BytePath) {
    guard path.isText else { return nil }
    self.init(path.text)
  }

  /// Tells whether `text` begins as an address of HTTP.
  static func isAddress(_ text: String) -> Bool {
    let start = text.prefix(8).lowercased()
    return start.hasPrefix("http://") || start == "https://"
  }

  /// Returns the address of `reference`, which may be relative, on the page at this one; nil where it is none.
  func resolving(_ reference: String) -> NetworkAddress? {
    guard var resolved = NetworkAddress(reference, relativeTo: text) else { return nil }
    // A name and a password are for the host that they were given for.
    if resolved.credentials == nil, resolved.origin == origin {
      resolved = NetworkAddress(resolved.text, credentials)
    }
    return resolved
  }

  private init(_ text: String, _ credentials: String?) {
    (self.text, self.credentials) = (text, credentials)
  }

  private init?(_ text: String, relativeTo base: String?) {
    guard attacca_curl_load() else {
      // Nothing comes from there; the error names it.
      guard base == nil else { return nil }
      self.init(Self.withoutCredentials(text), nil)
      return
    }
    guard let parts = attacca_curl_url() else { return nil }
    defer { attacca_curl_url_cleanup(parts) }
    let flags = UInt32(CURLU_URLENCODE)
    if let base, attacca_curl_url_set(parts, CURLUPART_URL, base, flags) != CURLUE_OK { return nil }
    guard attacca_curl_url_set(parts, CURLUPART_URL, text, flags) == CURLUE_OK else { return nil }
    let scheme = Self.part(CURLUPART_SCHEME, of: parts)?.lowercased()
    guard scheme == "http" || scheme == "https" else { return nil }
    let user = Self.part(CURLUPART_USER, of: parts, UInt32(CURLU_URLDECODE))
    let password = Self.part(CURLUPART_PASSWORD, of: parts, UInt32(CURLU_URLDECODE))
    for part in [CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_FRAGMENT] {
      attacca_curl_url_set(parts, part, nil, 0)
    }
    guard let whole = Self.part(CURLUPART_URL, of: parts) else { return nil }
    self.init(whole, user.map { "\($0):\(password ?? "")" })
  }

  private static func withoutCredentials(_ text: String) -> String {
    guard let colon = text.firstIndex(of: ":") else { return text }
    let host = text[colon...].dropFirst(3)
    let authority = host.prefix { !"/?#".contains($0) }
    guard let at = authority.lastIndex(of: "@") else { return text }
    return String(text[..<host.startIndex] + host[host.index(after: at)...])
  }

  private static func part(
    _ name: CURLUPart, of parts: OpaquePointer, _ flags: UInt32 = 0
  ) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    guard attacca_curl_url_get(parts, name, &text, flags) == CURLUE_OK, let text else { return nil }
    defer { attacca_curl_free(text) }
    return String(cString: text)
  }

  /// Scheme, host and port.
  package var origin: Substring {
    let rest = text.drop { $0 != ":" }.dropFirst(3)
    return text[..<(rest.firstIndex(of: "/") ?? text.endIndex)]
  }

  /// The letters behind the last dot of the path, in small ones; nil without a dot.
  var fileExtension: String? {
    let path = text.prefix { $0 != "?" }.dropFirst(origin.count)
    return BytePath(String(path)).fileExtension
  }
}

extension NetworkAddress: CustomStringConvertible {
  /// The address without a name and a password.
  public var description: String { text }
}
