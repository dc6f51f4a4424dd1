// SPDX-License-Identifier: Apache-2.0

import SampleBuffers

/// The links of a chained Ogg file that have been opened so far, from the first on.
///
/// A link without a frame is left out.
struct OggLinks {
  typealias Opener = (RegularFile, Range<Int64>) throws(SoundFileError) -> any FrameDecoder

  struct Link {
    let window: Range<Int64>
    let format: AudioFormat
    var frames: Int64
  }

  private(set) var links: [Link] = []
  /// True where the last of them is the file's.
  private(set) var areAll = false
  private var end: Int64 = 0

  /// Of all of them.
  var frames: Int64 { links.reduce(0) { $0 + $1.frames } }

  /// The same, once they are all; nil where they have several formats.
  var frameCount: Int64? {
    areAll && links.allSatisfy { $0.format == links[0].format } ? frames : nil
  }

  /// Opens the link behind those that are known, and counts its frames.
  ///
  /// - Returns: its decoder; `nil` at the end.
  mutating func openNext(
    of file: RegularFile, in chain: OggChain, by open: Opener
  ) throws(SoundFileError) -> (any FrameDecoder)? {
    while !areAll {
      guard let window = try chain.link(from: end, in: file) else {
        areAll = true
        break
      }
      end = window.upperBound
      do throws(SoundFileError) {
        let decoder = try open(file, window)
        let frames = try Self.count(decoder)
        links.append(Link(window: window, format: decoder.format, frames: frames))
        return decoder
      } catch {
        if error.kind == .empty { continue }
        guard !links.isEmpty, error.kind != .unreadable else { throw error }
        // The file was opened by its first link: what is wrong with another one is damage.
        throw SoundFileError(
          .broken, path: error.path, call: error.call, code: error.code, cause: error.cause)
      }
    }
    return nil
  }

  /// Takes the links behind those that are known from who knows more.
  mutating func take(_ other: OggLinks) {
    guard other.end > end || other.areAll else { return }
    if other.links.count > links.count { links += other.links[links.count...] }
    (end, areAll) = (other.end, other.areAll)
  }

  /// A link has been read, and has so many frames.
  mutating func correct(_ link: Int, to frames: Int64) { links[link].frames = frames }

  /// A damaged link may tell no length.
  private static func count(_ decoder: any FrameDecoder) throws(SoundFileError) -> Int64 {
    if let count = decoder.frameCount { return count }
    let scratch = FrameStorage(capacity: 4096 * 8)
    var frames: Int64 = 0
    while case let count = try decoder.read(into: scratch.samples, frames: 4096), count > 0 {
      frames += Int64(count)
    }
    try decoder.seek(to: 0)
    return frames
  }
}
