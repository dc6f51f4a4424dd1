// SPDX-License-Identifier: Apache-2.0

/// What several segments of a stream have in common, loaded once.
struct HLSCommonParts {
  /// The bytes in front of all segments of a variant.
  struct Header {
    var named: HLSPlaylist.Header
    var variant: Int
    var bytes: [UInt8]
  }

  /// Header that was loaded last.
  var header: Header?
  /// Download that segments are ranges of.
  var download: Download?
  private var keys: [NetworkAddress: HLSKey] = [:]

  /// The key at an address, if it has been loaded.
  func key(at place: NetworkAddress) -> HLSKey? { keys[place] }

  /// Keeps the key of an address; 64 at most.
  mutating func keep(_ key: HLSKey, of place: NetworkAddress) {
    if keys.count >= 64 { keys = [:] }
    keys[place] = key
  }
}
