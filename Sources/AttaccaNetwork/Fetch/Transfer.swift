// SPDX-License-Identifier: Apache-2.0

import CCurl
import SoundFiles

/// One request to a server and its answer, by libcurl; on the thread that fetches.
final class Transfer {
  /// The use of bytes that have come.
  enum Verdict {
    case taken
    /// They come again, once the transfer has been resumed.
    case later
    /// No more are to come.
    case refused
  }

  /// The corresponding handle is `CURL *`.
  let handle: UnsafeMutableRawPointer
  private let name: String
  /// Whom heads, bytes and the end are told; it owns the transfer.
  private unowned let owner: Download
  private var fields: UnsafeMutablePointer<curl_slist>?
  private var aliases: UnsafeMutablePointer<curl_slist>?
  private var head = ResponseHead()
  private var isHeadTold = false
  private var headBytes = 0
  private var hasEndlessHead = false
  /// Words of libcurl about a failure, more than its code says.
  private let words = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

  /// Bytes of all heads of an answer, redirects included; a cookie has up to 4 kB.
  private static let longestHead = 256 << 10

  private static let isReady: Bool =
    attacca_curl_load() && attacca_curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  /// A request for a part of what is at `address`, unless that is what `kept`, a tag or a date, belongs to.
  init?(
    _ request: FetchState.Request, at address: NetworkAddress, _ options: HTTPOptions,
    unless kept: String? = nil, for owner: Download
  ) {
    guard Self.isReady, let handle = attacca_curl_easy_init() else {
      words.deallocate()
      return nil
    }
    (self.handle, name, self.owner) = (handle, address.text, owner)
    words.pointee = 0
    let context = Unmanaged.passUnretained(self).toOpaque()
    set(CURLOPT_URL, address.text)
    set(CURLOPT_PROTOCOLS_STR, "http,https")
    set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_FOLLOWLOCATION, 1)
    set(CURLOPT_MAXREDIRS, 10)
    set(CURLOPT_CONNECTTIMEOUT_MS, options.connectionLimit)
    set(CURLOPT_TCP_KEEPALIVE, 1)
    set(CURLOPT_USERAGENT, "Attacca")
    if let file = options.authorityFile { set(CURLOPT_CAINFO, file) }
    attacca_curl_set_pointer(handle, CURLOPT_ERRORBUFFER, words)
    attacca_curl_set_pointer(handle, CURLOPT_HEADERDATA, context)
    attacca_curl_set_pointer(handle, CURLOPT_WRITEDATA, context)
    attacca_curl_set_sink(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
      Transfer.from(context).takeLine(UnsafeRawBufferPointer(start: bytes, count: size * count))
    }
    attacca_curl_set_sink(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
      Transfer.from(context).takeBody(UnsafeRawBufferPointer(start: bytes, count: size * count))
    }
    aliases = attacca_curl_slist_append(nil, "ICY 200 OK")
    attacca_curl_set_pointer(handle, CURLOPT_HTTP200ALIASES, aliases)
    prove(options, address)
    addFields(options, kept)
    if request.from > 0 || request.to != nil {
      set(CURLOPT_RANGE, "\(request.from)-" + (request.to.map { String($0 - 1) } ?? ""))
    }
  }

  deinit {
    attacca_curl_easy_cleanup(handle)
    attacca_curl_slist_free_all(fields)
    attacca_curl_slist_free_all(aliases)
    words.deallocate()
  }

  private static func from(_ context: UnsafeMutableRawPointer?) -> Transfer {
    Unmanaged.fromOpaque(context!).takeUnretainedValue()
  }

  private func set(_ option: CURLoption, _ value: String) {
    _ = value.withCString { attacca_curl_set_pointer(handle, option, $0) }
  }

  private func set(_ option: CURLoption, _ value: Int) {
    attacca_curl_set_long(handle, option, value)
  }

  private func prove(_ options: HTTPOptions, _ address: NetworkAddress) {
    // libcurl says it to the first host alone.
    switch options.authorization {
    case .bearer(let token):
      set(CURLOPT_HTTPAUTH, Int(1 << 6))  // CURLAUTH_BEARER
      set(CURLOPT_XOAUTH2_BEARER, token)
    case .basic(let user, let password):
      set(CURLOPT_HTTPAUTH, Int(1 << 0))  // CURLAUTH_BASIC
      set(CURLOPT_USERNAME, user)
      set(CURLOPT_PASSWORD, password)
    case nil:
      guard let credentials = address.credentials else { break }
      let parts = credentials.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      set(CURLOPT_HTTPAUTH, Int(1 << 0))
      set(CURLOPT_USERNAME, String(parts[0]))
      set(CURLOPT_PASSWORD, parts.count > 1 ? String(parts[1]) : "")
    }
  }

  private func addFields(_ options: HTTPOptions, _ kept: String?) {
    // A range of what is compressed is none of the sound.
    let own = ["Accept-Encoding: identity", "Icy-MetaData: 1", "Accept: */*"]
    // As a field: `CURLOPT_COOKIE` goes to hosts that it is referred to, too.
    let cookies = options.cookies.map { ["Cookie: \($0.filter { !$0.isNewline })"] } ?? []
    let condition = kept.map { $0.hasPrefix("\"") ? "If-None-Match" : "If-Modified-Since" }
    let conditions = condition.map { ["\($0): \(kept ?? "")"] } ?? []
    for field in own + cookies + conditions + options.headers.map({ "\($0.name): \($0.value)" }) {
      fields = attacca_curl_slist_append(fields, field)
    }
    attacca_curl_set_pointer(handle, CURLOPT_HTTPHEADER, fields)
  }

  // MARK: What libcurl calls

  private func takeLine(_ bytes: UnsafeRawBufferPointer) -> Int {
    headBytes += bytes.count
    guard headBytes <= Self.longestHead else {
      hasEndlessHead = true
      return 0
    }
    let line = bytes.prefix { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
    head.add(String(decoding: line, as: UTF8.self))
    return bytes.count
  }

  private func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard tellHead() else { return 0 }
    return switch owner.take(bytes) {
    case .taken: bytes.count
    case .later: Int(CURL_WRITEFUNC_PAUSE)
    case .refused: bytes.isEmpty ? 1 : 0
    }
  }

  /// - Returns: whether the bytes behind the head are wanted.
  private func tellHead() -> Bool {
    guard !isHeadTold else { return true }
    isHeadTold = true
    var place: UnsafeMutablePointer<CChar>?
    attacca_curl_get_string(handle, CURLINFO_EFFECTIVE_URL, &place)
    return owner.respond(head, from: place.flatMap { NetworkAddress(String(cString: $0)) })
  }

  /// It is over, with a code of libcurl's.
  func end(_ code: CURLcode) {
    if code == CURLE_OK {
      // An answer without a byte.
      if tellHead() { owner.endConnection(nil) }
    } else {
      owner.endConnection(error(code))
    }
  }

  /// True for the error of a server that was not reached.
  static func isUnreachable(_ error: SoundFileError) -> Bool {
    let codes = [
      CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT,
      CURLE_OPERATION_TIMEDOUT,
    ]
    return error.call == "curl_easy_perform"
      && codes.contains { Int32(bitPattern: $0.rawValue) == error.code }
  }

  private func error(_ code: CURLcode) -> SoundFileError {
    if hasEndlessHead {
      return SoundFileError(
        .broken, path: name, call: "HTTP",
        cause: "the server's answer has more than \(Self.longestHead >> 10) kB of headers")
    }
    let own = String(cString: words)
    let text = own.isEmpty ? String(cString: attacca_curl_easy_strerror(code)) : own
    return SoundFileError(
      .unreadable, path: name, call: "curl_easy_perform", code: Int32(bitPattern: code.rawValue),
      cause: text.prefix(1).lowercased() + text.dropFirst())
  }
}
