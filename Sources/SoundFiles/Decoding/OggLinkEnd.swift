// SPDX-License-Identifier: Apache-2.0

/// The end of a link of an Ogg stream that cannot be looked at, found as far as the link is read.
final class OggLinkEnd {
  /// The next link, or the end of the stream; nil while neither has been met.
  private(set) var end: Int64?
  /// The time of the link's last page; nil while that has not been met, and where it does not say that it is.
  private(set) var lastGranule: Int64?

  private let file: RegularFile
  /// The next page: those before it are the link's.
  private var place: Int64
  private var isInHeaders = true

  /// Of the link that begins at `start`.
  init(of file: RegularFile, from start: Int64) { (self.file, place) = (file, start) }

  /// Returns the end of the link's known bytes from `start` on: no page is waited for but the one that begins there.
  func limit(from start: Int64) throws(SoundFileError) -> Int64 {
    while end == nil, place <= start {
      guard let page = try OggPage(at: place, in: file) else {
        try skipDamage()
        continue
      }
      if page.beginsStream, !isInHeaders {
        end = place
      } else {
        isInHeaders = page.beginsStream
        if page.endsStream, page.granule >= 0 { lastGranule = page.granule }
        place = page.bytes.upperBound
      }
    }
    return end ?? place
  }

  /// Goes to the end of the link.
  func find() throws(SoundFileError) {
    while end == nil { _ = try limit(from: place) }
  }

  /// Goes on with the next page, as long as one can be; behind noise the stream ends.
  private func skipDamage() throws(SoundFileError) {
    // A connection that was made again goes on in the midst of a page, or with headers.
    for offset in 1..<2 * OggPage.longest where try file.word(at: place + offset) == 0x4F67_6753 {
      place += offset
      return
    }
    end = try file.bytes(at: place, count: 27).count < 27 ? file.size : place
  }
}
