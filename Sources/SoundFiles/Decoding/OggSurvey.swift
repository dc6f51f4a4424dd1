// SPDX-License-Identifier: Apache-2.0

/// The links of a chained Ogg file, one a step.
final class OggSurvey: FileSurvey {
  private(set) var found: OggLinks
  private let file: RegularFile
  private let chain: OggChain
  private let open: OggLinks.Opener

  /// Bytes that are read at once: several short links, or what is looked at of a long one in one place.
  private static let blockSize = 1 << 16

  /// Goes on behind the links that have been `found`, by a descriptor of its own.
  init(
    of file: RegularFile, chain: OggChain, behind found: OggLinks,
    by open: @escaping OggLinks.Opener
  ) throws(SoundFileError) {
    self.file = try RegularFile(duplicating: file, blockSize: Self.blockSize)
    (self.chain, self.found, self.open) = (chain, found, open)
    reach = found.frames
  }

  private(set) var reach: Int64
  var frameCount: Int64? { found.frameCount }

  func advance() throws(SoundFileError) -> Bool {
    let hasNext = try found.openNext(of: file, in: chain, by: open) != nil
    if hasNext, let last = found.links.last { reach += last.frames }
    return hasNext
  }
}
