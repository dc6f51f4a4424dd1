// SPDX-License-Identifier: Apache-2.0

import SoundFiles

/// The whole of a short text on a network.
enum ListLoading {
  /// Blocks until it is there.
  ///
  /// - Returns: where it was in the end, and its bytes.
  /// - Throws: `unsupported` where it is longer than `limit` bytes, and what loading it meets.
  static func load(
    _ address: NetworkAddress, _ options: HTTPOptions, atMost limit: Int
  ) throws(SoundFileError) -> (NetworkAddress, [UInt8]) {
    let download = try Download(address, options)
    let id = download.addReader()
    let bytes = DownloadBytes(download, id, for: FrameHandover(), isOwner: true)
    _ = try download.answer(for: id) { false }
    guard !download.isLive else {
      throw SoundFileError(
        .unsupported, path: address.text, call: "NetworkList",
        cause: "a broadcast, and no list: its address does not end as that of one")
    }
    var (text, piece) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 14))
    while true {
      let count = piece.withUnsafeMutableBytes { bytes.read(at: Int64(text.count), into: $0) }
      if count == 0 { break }
      guard count > 0 else {
        throw bytes.failure
          ?? SoundFileError(
            .unreadable, path: address.text, call: "pread", code: Int32(-count),
            cause: "what was loaded cannot be read")
      }
      text += piece[..<count]
      guard text.count <= limit else {
        throw SoundFileError(
          .unsupported, path: address.text, call: "NetworkList",
          cause: "more than \(limit >> 20) MB of playlist")
      }
    }
    // By way of the address, which has the name and the password.
    return (download.place.flatMap { address.resolving($0.text) } ?? address, text)
  }
}
