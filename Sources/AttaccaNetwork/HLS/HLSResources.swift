// SPDX-License-Identifier: Apache-2.0

import SoundFiles

/// What the playlists of one stream name: lists, segments, headers and keys, loaded and decrypted.
///
/// It belongs to the thread that decodes. Nothing is loaded but what is at an address of HTTP, and who the caller is, is
/// said to the host alone that it was meant for.
final class HLSResources {
  /// Address of the stream, for people too.
  let address: NetworkAddress
  private let options: HTTPOptions
  private let handover: FrameHandover
  private let wake: NetworkFrames.Wake
  /// Address of the list that was read last, which relative names start at.
  private var base: NetworkAddress
  private var common = HLSCommonParts()

  private static let longestHeader = 1 << 20
  private static let longestKey = 1_024

  /// Resources of the stream whose playlist `first` is.
  init(
    _ first: HLSLoad, _ options: HTTPOptions, _ handover: FrameHandover,
    _ wake: NetworkFrames.Wake
  ) {
    (address, base, self.options) = (first.address, first.place, options)
    (self.handover, self.wake) = (handover, wake)
  }

  func error(_ kind: SoundFileError.Kind, _ cause: String) -> SoundFileError {
    SoundFileError(kind, path: address.text, call: "HLS", cause: cause)
  }

  // MARK: Loading

  /// Begins to load a list or a key.
  func load(_ place: NetworkAddress) throws(SoundFileError) -> HLSLoad {
    try HLSLoad(place, own(place))
  }

  /// Begins to load a segment.
  func load(_ segment: HLSPlaylist.Segment) throws(SoundFileError) -> HLSLoad {
    try load(segment.place, segment.bytes)
  }

  private func load(_ place: String, _ bytes: Range<Int64>?) throws(SoundFileError) -> HLSLoad {
    guard let found = base.resolving(place) else {
      throw SoundFileError(
        .unsupported, path: place, call: "HLS",
        cause: "a playlist from a network names nothing but addresses of HTTP (\(base))")
    }
    guard bytes != nil else { return try load(found) }
    if let shared = common.download, shared.address == found, !shared.hasFailed {
      return HLSLoad(shared, bytes)
    }
    let made = try Download(found, own(found))
    common.download = made
    return HLSLoad(made, bytes)
  }

  private func own(_ place: NetworkAddress) -> HTTPOptions {
    var own = options
    // Segments would be thousands of files, and lists are other ones each time.
    own.cache = nil
    if place.origin != address.origin { (own.authorization, own.cookies) = (nil, nil) }
    return own
  }

  /// All bytes of a segment; blocks until they are there.
  func whole(_ load: HLSLoad) throws(SoundFileError) -> [UInt8] {
    try load.whole(for: handover, wake, atMost: HLSLoad.longestSegment)
  }

  // MARK: What is loaded

  /// The playlist that `load` brings; blocks until it is there.
  ///
  /// Names in it start where it was found.
  func playlist(_ load: HLSLoad) throws(SoundFileError) -> HLSPlaylist {
    let bytes = try load.whole(for: handover, wake, atMost: HLSPlaylist.longest)
    base = load.place
    return try HLSPlaylist(String(decoding: bytes, as: UTF8.self), name: load.address.text)
  }

  /// The header in front of segment `number` of a variant; empty where it has none.
  func header(
    of segment: HLSPlaylist.Segment, _ number: Int64, variant: Int
  ) throws(SoundFileError) -> [UInt8] {
    guard let wanted = segment.header else { return [] }
    if let header = common.header, header.named == wanted, header.variant == variant {
      return header.bytes
    }
    let load = try load(wanted.place, wanted.bytes)
    let loaded = try load.whole(for: handover, wake, atMost: Self.longestHeader)
    let bytes = try decrypted(loaded, wanted.key, number)
    common.header = HLSCommonParts.Header(named: wanted, variant: variant, bytes: bytes)
    return bytes
  }

  /// Returns what `bytes` of segment `number` are behind `key`; themselves without one.
  func decrypted(
    _ bytes: [UInt8], _ key: HLSPlaylist.Key?, _ number: Int64
  ) throws(SoundFileError) -> [UInt8] {
    guard let key else { return bytes }
    guard let place = base.resolving(key.place) else {
      throw error(.unsupported, "its key is at no address of HTTP")
    }
    var known = common.key(at: place)
    if known == nil {
      let found = try load(place).whole(for: handover, wake, atMost: Self.longestKey)
      let loaded = try HLSKey(found, name: address.text)
      common.keep(loaded, of: place)
      known = loaded
    }
    var start = key.start ?? [UInt8](repeating: 0, count: 16)
    if key.start == nil {
      for i in 8..<16 { start[i] = UInt8(truncatingIfNeeded: number >> (8 * Int64(15 - i))) }
    }
    guard let plain = try known?.decrypt(bytes, start: start) else {
      throw error(.broken, "segment \(number) is not what its key decrypts")
    }
    return plain
  }
}
