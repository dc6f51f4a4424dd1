// SPDX-License-Identifier: Apache-2.0

import Glibc
import SoundFiles

/// Something short that a playlist names; it is loaded from when this is made, whether somebody waits for it or not.
final class HLSLoad {
  let address: NetworkAddress
  private let download: Download
  private let id: Int
  private let bytes: Range<Int64>?

  /// Bytes of the longest segment.
  static let longestSegment = 64 << 20

  /// Begins to load what is at `address`, or some bytes of it.
  convenience init(
    _ address: NetworkAddress, _ options: HTTPOptions, _ bytes: Range<Int64>? = nil
  ) throws(SoundFileError) {
    try self.init(Download(address, options), bytes)
  }

  /// The same of what others load, too.
  init(_ download: Download, _ bytes: Range<Int64>? = nil) {
    (self.download, self.bytes, address) = (download, bytes, download.address)
    id = download.addReader()
    var nothing: UInt8 = 0
    withUnsafeMutableBytes(of: &nothing) {
      _ = download.read(id, at: bytes?.lowerBound ?? 0, into: $0)
    }
    download.play(id)
  }

  deinit { download.removeReader(id) }

  /// Blocks until all of it is there.
  ///
  /// - Throws: What loading it meets; `unsupported` where it is longer than `limit`; with the code ECANCELED where
  ///   `handover` wants nothing any more.
  func whole(
    for handover: FrameHandover, _ wake: NetworkFrames.Wake, atMost limit: Int
  ) throws(SoundFileError) -> [UInt8] {
    wake.set(download, id)
    let source = DownloadBytes(download, id, for: handover)
    handover.setBlocked(true)
    defer { handover.setBlocked(false) }
    _ = try download.answer(for: id, at: bytes?.lowerBound ?? 0) { handover.isInterrupted }
    let (start, end) = (bytes?.lowerBound ?? 0, bytes?.upperBound ?? .max)
    guard bytes == nil || bytes!.count <= limit else { throw tooLong(limit) }
    var (all, piece) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 15))
    while start + Int64(all.count) < end {
      let wanted = Int(min(Int64(piece.count), end - start - Int64(all.count)))
      let count = piece.withUnsafeMutableBytes {
        source.read(
          at: start + Int64(all.count), into: UnsafeMutableRawBufferPointer(rebasing: $0[..<wanted])
        )
      }
      if count == 0 { break }
      guard count > 0 else { throw source.failure ?? Self.unwanted(address) }
      all += piece[..<count]
      guard all.count <= limit else { throw tooLong(limit) }
    }
    if let truncation = download.standing.truncation { throw truncation }
    return all
  }

  /// Bytes, and seconds from the request to the last of them; nil while not all are there.
  var speed: (bytes: Int, seconds: Double)? { download.speed }

  /// Address to which redirects have led.
  var place: NetworkAddress { download.place.flatMap { address.resolving($0.text) } ?? address }

  static func unwanted(_ address: NetworkAddress) -> SoundFileError {
    SoundFileError(
      .unreadable, path: address.text, call: "HTTP", code: ECANCELED, cause: "not wanted any more")
  }

  private func tooLong(_ limit: Int) -> SoundFileError {
    SoundFileError(
      .unsupported, path: address.text, call: "HLS",
      cause: "more than \(limit >> 10) kB in one piece")
  }
}
