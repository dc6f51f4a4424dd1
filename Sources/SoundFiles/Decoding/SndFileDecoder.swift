// SPDX-License-Identifier: Apache-2.0

import CSndFile
import SampleBuffers

/// WAV, RF64, W64, AIFF, CAF and Ogg Opus by libsndfile.
final class SndFileDecoder: FrameDecoder {
  private(set) var format: AudioFormat
  let fileFormat: FileFormat
  private(set) var frameCount: Int64?
  let metadata: FileMetadata
  private(set) var truncation: SoundFileError?

  private let file: RegularFile
  private let plan: SndFilePlan
  private var links: [SndFileLink]
  private var handle: SndFileHandle
  private var link = 0
  /// Frames of all links before the next one to be read.
  private var position: Int64 = 0
  /// The same inside `link`.
  private var place: Int64 = 0
  /// Set where decoding ended early, or at a place that was not known before: libsndfile's handle
  /// then fails at whatever it is asked, or goes on behind an end that it has told of.
  private var isSpent = false
  /// Failure that was met behind frames that were still good.
  private var failure: SoundFileError?

  /// The whole of `file`, or one link of a chain.
  init(
    file: RegularFile, container: FileFormat.Container, link: Range<Int64>? = nil
  ) throws(SoundFileError) {
    self.file = file
    plan = try SndFilePlan(file: file, container: container, link: link)
    let first = try plan.open()
    let firstFormat = try plan.format(of: first)
    handle = first
    format = firstFormat
    fileFormat = try plan.fileFormat(of: first)
    let isOgg = container == .ogg
    var links = [
      SndFileLink(
        window: plan.windows[0], format: firstFormat, frames: plan.frames(of: first),
        opus: isOgg ? try OpusStream(of: file, in: plan.windows[0]) : nil)
    ]
    for window in plan.windows.dropFirst() {
      let handle = try plan.open(window)
      links.append(
        SndFileLink(
          window: window, format: try plan.format(of: handle), frames: plan.frames(of: handle),
          opus: isOgg ? try OpusStream(of: file, in: window) : nil))
    }
    self.links = links
    frameCount = Self.total(links)
    guard frameCount != 0 else {
      throw SoundFileError(
        .empty, path: file.path, call: "sf_open_virtual", cause: "a header without frames")
    }
    let plan = plan
    metadata = try file.forDisplay(else: FileMetadata()) { () throws(SoundFileError) in
      try plan.metadata(of: first)
    }
    truncation = plan.truncation(frames: frameCount)
    try start()
  }

  private static func total(_ links: [SndFileLink]) -> Int64? {
    var total: Int64 = 0
    for link in links {
      guard let frames = link.frames, link.format == links[0].format else { return nil }
      total += frames
    }
    return total
  }

  func pictures() throws(SoundFileError) -> [Picture] { try plan.pictures() }

  func seek(to frame: Int64) throws(SoundFileError) {
    failure = nil
    var rest = frame
    var target = 0
    while target + 1 < links.count, let frames = links[target].frames, rest >= frames {
      rest -= frames
      target += 1
    }
    if target != link || isSpent { try open(target) }
    position = frame - rest
    if let frames = links[target].frames {
      try seek(inLink: min(rest, frames))
    } else {
      // libsndfile must not seek where it does not know the length: it may never return.
      try open(target)
      try skip(to: rest)
    }
    position += place
    noteLength()
  }

  /// Notes the length of a file that tells none, where it has been read to its end.
  private func noteLength() {
    if isSpent, links.count == 1, links[0].frames == nil { frameCount = position }
  }

  private func seek(inLink target: Int64) throws(SoundFileError) {
    if isOpus { return try seek(inOpus: target) }
    place = target
    try handle.seek(to: target)
  }

  /// Decodes from a page on that begins early enough.
  ///
  /// libsndfile's own seek in Opus calculates with the times in the file, and goes round for ever
  /// where one is below 0 or 2^31 frames away; besides, having decoded the trimmed last packet,
  /// it takes its place in the stream for later than it is.
  private func seek(inOpus target: Int64) throws(SoundFileError) {
    let isNear = place <= target && target - place <= Int64(format.sampleRate)
    if !isNear, try !enter(before: target) { try open(link) }
    try skip(to: target)
  }

  /// - Returns: whether there is a page to begin with, well behind `target`.
  private func enter(before target: Int64) throws(SoundFileError) -> Bool {
    guard let opus = links[link].opus else { return false }
    // An Opus decoder converges: after 80 ms, 10 % of seeks in a 24 kHz file were still off by up to
    // 0.001; after half a second 2 %.
    let granule = opus.startGranule + opus.preskip + target * opusFactor - 28_800
    guard let entry = try opus.entry(before: granule) else { return false }
    return try enter(at: entry, places: 0...target)
  }

  /// Opens what follows from a page of the link on.
  ///
  /// - Returns: whether that could be done, and it begins at one of `places`.
  private func enter(
    at page: Int64, places: ClosedRange<Int64>
  ) throws(SoundFileError) -> Bool {
    let part = links[link]
    guard let opus = part.opus, let all = part.statedFrames else { return false }
    let entered: SndFileHandle
    do throws(SoundFileError) {
      entered = try SndFileHandle(
        file: file, window: page..<part.window.upperBound,
        after: try opus.headers(before: page))
    } catch {
      guard error.kind == .broken else { throw error }
      return false
    }
    guard let rest = entered.frames, entered.info.channels == handle.info.channels,
      case let first = all - rest, places.contains(first)
    else { return false }
    (handle, place, isSpent) = (entered, first, false)
    return true
  }

  /// Times of Opus a frame.
  private var opusFactor: Int64 { Int64(48_000 / format.sampleRate) }

  private func open(_ target: Int) throws(SoundFileError) {
    handle = try plan.open(links[target].window)
    (link, place, format, isSpent) = (target, 0, links[target].format, false)
    try start()
  }

  private var isOpus: Bool { fileFormat.encoding == .lossy("Opus") }

  /// libsndfile leaves the encoder's delay in where a stream's granules do not begin at 0.
  private func start() throws(SoundFileError) {
    guard isOpus, let opus = links[link].opus, opus.startGranule > 0 else { return }
    let delay = opus.preskip / opusFactor
    guard try enter(at: opus.audio, places: -delay ... -delay) else { return }
    try skip(to: 0)
    place = 0
  }

  private func skip(to frames: Int64) throws(SoundFileError) {
    let scratch = FrameStorage(capacity: 4096 * format.channelCount)
    while place < frames {
      let count = try handle.read(into: scratch.samples, frames: Int(min(4096, frames - place)))
      if count == 0 {
        isSpent = true
        break
      }
      place += Int64(count)
    }
  }

  func read(into samples: UnsafeMutablePointer<Float>, frames: Int) throws(SoundFileError) -> Int {
    if let failure { throw failure }
    let before = format
    var filled = 0
    while filled < frames {
      // Behind damage that a straight read ends at a seek may find frames: they are past the end.
      let wanted = min(Int64(frames - filled), (links[link].frames ?? .max) - place)
      let count =
        wanted > 0 && !isSpent
        ? try handle.read(into: samples + filled * format.channelCount, frames: Int(wanted)) : 0
      filled += count
      place += Int64(count)
      position += Int64(count)
      if count > 0 { continue }
      if links[link].frames == nil { isSpent = true }
      noteLength()
      if let expected = links[link].frames, place < expected {
        do throws(SoundFileError) {
          try noteEarlyEnd(missing: expected - place)
        } catch {
          if filled == 0 { throw error }
          failure = error
          break
        }
      }
      guard link + 1 < links.count else { break }
      try open(link + 1)
      if format != before { break }
    }
    return filled
  }

  private func noteEarlyEnd(missing: Int64) throws(SoundFileError) {
    isSpent = true
    let expected = frameCount ?? position + missing
    guard handle.isAtEnd else {
      throw SoundFileError(
        .broken, path: file.path, call: "sf_readf_float", code: handle.errorCode,
        cause: "damaged after \(position) of \(expected) frames")
    }
    // From now on the link is as long as it was found to be: seeks behind it depend on that.
    links[link].frames = place
    frameCount = Self.total(links)
    guard truncation == nil else { return }
    truncation = SoundFileError(
      .truncated, path: file.path, call: "sf_readf_float",
      cause: "\(links.count == 1 ? position : expected - missing) of \(expected) frames")
  }
}
