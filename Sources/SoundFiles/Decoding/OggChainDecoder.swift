// SPDX-License-Identifier: Apache-2.0

import SampleBuffers

/// A long chained Ogg file, of whose links each is opened when it is come to.
///
/// Its length is known once the last link is: libvorbisfile would look at all of them before the first
/// sound.
final class OggChainDecoder: FrameDecoder {
  let fileFormat: FileFormat
  let metadata: FileMetadata
  private(set) var truncation: SoundFileError?

  private let file: RegularFile
  private let chain: OggChain
  private let open: OggLinks.Opener
  private let search: LengthSearch
  private var found: OggLinks
  /// Index of the link that is read.
  private var link = 0
  private var decoder: any FrameDecoder
  /// The first link's, which tells of the pictures.
  private let first: any FrameDecoder
  /// False once a link had other frames than it told, and no count of them.
  private var hasLength = true
  /// Failure that was met behind frames that were still good.
  private var failure: SoundFileError?

  init(
    file: RegularFile, chain: OggChain, open: @escaping OggLinks.Opener
  ) throws(SoundFileError) {
    (self.file, self.chain, self.open) = (file, chain, open)
    var found = OggLinks()
    guard let first = try found.openNext(of: file, in: chain, by: open) else {
      throw SoundFileError(.empty, path: file.path, call: "OggPage", cause: "no frame")
    }
    (fileFormat, metadata, decoder) = (first.fileFormat, first.metadata, first)
    self.first = first
    self.found = found
    search = try LengthSearch.of(file) { () throws(SoundFileError) in
      try OggSurvey(of: file, chain: chain, behind: found, by: open)
    }
  }

  var format: AudioFormat { decoder.format }
  var frameCount: Int64? { hasLength ? found.frameCount ?? search.frameCount : nil }
  var lengthSearch: LengthSearch? { search }
  var details: StreamDetails { decoder.details }

  func pictures() throws(SoundFileError) -> [Picture] { try first.pictures() }

  /// Takes the links that the search has found.
  private func takeFound() {
    let more = search.withSurvey(of: OggSurvey.self) { survey, _ in survey.found }
    if let more { found.take(more) }
  }

  func seek(to frame: Int64) throws(SoundFileError) {
    failure = nil
    if frame >= found.frames {
      search.run(to: frame)
      takeFound()
    }
    // What the search could not go on from is met here again, and told.
    while frame >= found.frames, try found.openNext(of: file, in: chain, by: open) != nil {}
    var (target, rest) = (0, frame)
    while target + 1 < found.links.count, rest >= found.links[target].frames {
      rest -= found.links[target].frames
      target += 1
    }
    if target != link {
      decoder = try open(file, found.links[target].window)
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
    if let count = decoder.frameCount { found.correct(link, to: count) } else { hasLength = false }
    truncation = truncation ?? decoder.truncation
    if link + 1 == found.links.count { takeFound() }
    if link + 1 < found.links.count {
      decoder = try open(file, found.links[link + 1].window)
    } else if let next = try found.openNext(of: file, in: chain, by: open) {
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
    truncation = SoundFileError(
      .truncated, path: file.path, call: "OggPage",
      cause: "the file ends inside an Ogg page, after \(found.frames) frames")
  }
}
