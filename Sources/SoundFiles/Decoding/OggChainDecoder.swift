// SPDX-License-Identifier: Apache-2.0

import SampleBuffers

/// A long chained Ogg file, of whose links each is opened when it is come to.
///
/// Its length is known once the last link is: libvorbisfile would look at all of them before the first
/// sound.
final class OggChainDecoder: FrameDecoder {
  typealias Opener = (RegularFile, Range<Int64>) throws(SoundFileError) -> any FrameDecoder

  let fileFormat: FileFormat
  let tags: Tags
  private(set) var truncation: SoundFileError?

  private let file: RegularFile
  private let chain: OggChain
  private let openLink: Opener
  /// Those that have been opened; a link without a frame is left out.
  private var links: [Link] = []
  /// The last of them is the file's.
  private var isWhole = false
  /// Which of them is read.
  private var link = 0
  private var decoder: any FrameDecoder
  /// What was met behind frames that were still good.
  private var failure: SoundFileError?

  private struct Link {
    let window: Range<Int64>
    let format: AudioFormat
    var frames: Int64
  }

  init(file: RegularFile, chain: OggChain, open: @escaping Opener) throws(SoundFileError) {
    (self.file, self.chain, openLink) = (file, chain, open)
    guard let window = try chain.link(from: 0) else {
      throw SoundFileError(.broken, path: file.path, call: "OggPage", cause: "no Ogg page")
    }
    decoder = try open(file, window)
    (fileFormat, tags) = (decoder.fileFormat, decoder.tags)
    links = [Link(window: window, format: decoder.format, frames: try Self.count(decoder))]
  }

  var format: AudioFormat { decoder.format }

  var frameCount: Int64? {
    guard isWhole, links.allSatisfy({ $0.format == links[0].format }) else { return nil }
    return links.reduce(0) { $0 + $1.frames }
  }

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

  /// Opens the link behind those that are known.
  ///
  /// - Returns: its decoder; `nil` at the end.
  private func appendNext() throws(SoundFileError) -> (any FrameDecoder)? {
    var start = links[links.count - 1].window.upperBound
    while !isWhole {
      guard let window = try chain.link(from: start) else {
        isWhole = true
        break
      }
      start = window.upperBound
      do throws(SoundFileError) {
        let next = try openLink(file, window)
        links.append(Link(window: window, format: next.format, frames: try Self.count(next)))
        return next
      } catch {
        guard error.kind == .empty else { throw error }
      }
    }
    return nil
  }

  func seek(to frame: Int64) throws(SoundFileError) {
    failure = nil
    var (target, rest) = (0, frame)
    var opened: (any FrameDecoder)?
    while rest >= links[target].frames {
      if target + 1 == links.count {
        guard let next = try appendNext() else {
          rest = links[target].frames
          break
        }
        opened = next
      }
      rest -= links[target].frames
      target += 1
    }
    if target != link || opened != nil {
      decoder = if let opened { opened } else { try openLink(file, links[target].window) }
      link = target
    }
    try decoder.seek(to: rest)
  }

  func read(into samples: UnsafeMutablePointer<Float>, frames: Int) throws(SoundFileError) -> Int {
    if let failure { throw failure }
    let before = format
    var filled = 0
    while filled < frames, format == before {
      do throws(SoundFileError) {
        let count = try decoder.read(
          into: samples + filled * before.channelCount, frames: frames - filled)
        filled += count
        if count == 0, format == before, try !advance() { break }
      } catch {
        if filled == 0 { throw error }
        failure = error
        break
      }
    }
    return filled
  }

  /// Goes on with the next link.
  ///
  /// - Returns: false at the end.
  private func advance() throws(SoundFileError) -> Bool {
    if let count = decoder.frameCount { links[link].frames = count }
    truncation = truncation ?? decoder.truncation
    if link + 1 < links.count {
      decoder = try openLink(file, links[link + 1].window)
    } else if let next = try appendNext() {
      decoder = next
    } else {
      noteEnd()
      return false
    }
    link += 1
    return true
  }

  private func noteEnd() {
    guard chain.endsInsidePage, truncation == nil else { return }
    let frames = links.reduce(0) { $0 + $1.frames }
    truncation = SoundFileError(
      .truncated, path: file.path, call: "OggPage",
      cause: "the file ends inside an Ogg page, after \(frames) frames")
  }
}
