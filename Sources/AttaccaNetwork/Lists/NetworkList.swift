// SPDX-License-Identifier: Apache-2.0

import PlaylistFiles
public import SoundFiles

/// The addresses that a playlist on a network names, with the lists in it: M3U, PLS, XSPF or ASX.
///
/// Relative entries start at the list's own address, behind its redirects. What is no address of HTTP, a file of this
/// machine above all, is refused.
public struct NetworkList: Sendable {
  /// Lists that may be inside each other.
  public static let deepestList = 8
  /// Lists that are read for one address.
  public static let mostLists = 100
  /// Bytes of the longest list that is read.
  static let longest = 4 << 20

  /// The addresses, in order; what is there is found out by opening them.
  public private(set) var addresses: [NetworkAddress] = []
  /// Lists that could not be read, and entries that name nothing on a network.
  public private(set) var failures: [SoundFileError] = []

  private let options: HTTPOptions
  private let origin: Substring
  private var lists = 0

  /// Reads the list at `address`; blocks until it is there.
  public init(_ address: NetworkAddress, options: HTTPOptions = HTTPOptions()) {
    (self.options, origin) = (options, address.origin)
    add(address, within: [])
  }

  /// Tells whether an address is that of a list, by its path.
  public static func isList(_ address: NetworkAddress) -> Bool {
    ["m3u", "m3u8", "pls", "xspf", "asx"].contains(address.fileExtension)
  }

  private mutating func add(_ address: NetworkAddress, within lists: [NetworkAddress]) {
    do throws(SoundFileError) {
      try check(address, within: lists)
      self.lists += 1
      let (base, bytes) = try ListLoading.load(address, options(for: address), atMost: Self.longest)
      if HLSPlaylist.isOne(String(decoding: bytes, as: UTF8.self)) {
        // A stream, which only looks like a list.
        addresses.append(address)
        return
      }
      let entries = try PlaylistFile(text: bytes, name: address.text).entries
      if entries.isEmpty {
        throw SoundFileError(
          .empty, path: address.text, call: "NetworkList", cause: "it names no sound file")
      }
      for entry in entries { add(entry.path.text, from: base, within: lists + [address]) }
    } catch {
      failures.append(error)
    }
  }

  private mutating func add(
    _ entry: String, from base: NetworkAddress, within lists: [NetworkAddress]
  ) {
    guard let address = base.resolving(entry) else {
      failures.append(
        SoundFileError(
          .unsupported, path: entry, call: "NetworkList",
          cause: "a list from a network names nothing but addresses of HTTP (\(base))"))
      return
    }
    if Self.isList(address) { add(address, within: lists) } else { addresses.append(address) }
  }

  /// Returns the options for an address: who the caller is, is said to the host alone that it was meant for.
  private func options(for address: NetworkAddress) -> HTTPOptions {
    var options = options
    options.cache = nil
    if address.origin != origin { (options.authorization, options.cookies) = (nil, nil) }
    return options
  }

  private func check(
    _ address: NetworkAddress, within lists: [NetworkAddress]
  ) throws(SoundFileError) {
    let refusal: String? =
      if lists.contains(address) {
        "a list that names itself"
      } else if lists.count == Self.deepestList {
        "more than \(Self.deepestList) lists inside each other"
      } else if self.lists == Self.mostLists {
        "more than \(Self.mostLists) lists"
      } else {
        nil
      }
    if let refusal {
      throw SoundFileError(.unsupported, path: address.text, call: "NetworkList", cause: refusal)
    }
  }
}
