// SPDX-License-Identifier: Apache-2.0

import CSndFile
import SampleBuffers

/// WAV, RF64, W64, AIFF, CAF, FLAC and Ogg Opus by libsndfile.
final class SndFileDecoder: FrameDecoder {
  private(set) var format: AudioFormat
  let fileFormat: FileFormat
  private(set) var frameCount: Int64?
  let tags: Tags
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
  /// What was met behind frames that were still good.
  private var failure: SoundFileError?

  init(file: RegularFile, container: FileFormat.Container) throws(SoundFileError) {
    self.file = file
    plan = try SndFilePlan(file: file, container: container)
    let first = try plan.open()
    let firstFormat = try plan.format(of: first)
    handle = first
    format = firstFormat
    fileFormat = try plan.fileFormat(of: first)
    var links = [SndFileLink(window: plan.windows[0], format: firstFormat, frames: first.frames)]
    for window in plan.windows.dropFirst() {
      let handle = try SndFileHandle(file: file, window: window, rawFormat: plan.rawFormat)
      links.append(
        SndFileLink(window: window, format: try plan.format(of: handle), frames: handle.frames))
    }
    self.links = links
    frameCount = Self.total(links)
    guard frameCount != 0 else {
      throw SoundFileError(
        .empty, path: file.path, call: "sf_open_virtual", cause: "a header without frames")
    }
    tags = try plan.tags(of: first)
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
    place = 0
    if let frames = links[target].frames {
      place = min(rest, frames)
      try seek(inLink: place, of: frames)
    } else {
      // libsndfile must not seek where it does not know the length: it may never return.
      try open(target)
      try skip(to: rest)
    }
    position += place
  }

  private func seek(inLink target: Int64, of frames: Int64) throws(SoundFileError) {
    guard isOpus else {
      do throws(SoundFileError) {
        try handle.seek(to: target)
      } catch {
        // libFLAC cannot jump to what lies close to damage or a cut; it can read up to it.
        guard fileFormat.container == .flac, error.kind == .broken else { throw error }
        try open(link)
        try skip(to: target)
      }
      return
    }
    // An Opus decoder converges: after the 80 ms that libsndfile allows, 10 % of seeks in a
    // 24 kHz file were still off by up to 0.001; after half a second 2 %. It also keeps out of
    // the trimmed last packet: having decoded that, libsndfile takes its place in the stream for
    // later than it is, and short seeks forward go wrong.
    let start = max(0, target - Int64(format.sampleRate) / 2)
    try handle.seek(to: start)
    place = start
    try skip(to: target)
  }

  private func open(_ target: Int) throws(SoundFileError) {
    handle = try SndFileHandle(
      file: file, window: links[target].window, rawFormat: plan.rawFormat)
    (link, place, format, isSpent) = (target, 0, links[target].format, false)
    try start()
  }

  private var isOpus: Bool { fileFormat.encoding == .lossy("Opus") }

  /// libsndfile leaves the encoder's delay in where a stream's granules do not begin at 0, unless
  /// it is told to go to the start.
  private func start() throws(SoundFileError) {
    if isOpus, links[link].frames != nil { try handle.seek(to: 0) }
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
    links[link] = SndFileLink(
      window: links[link].window, format: links[link].format, frames: place)
    frameCount = Self.total(links)
    guard truncation == nil else { return }
    truncation = SoundFileError(
      .truncated, path: file.path, call: "sf_readf_float",
      cause: "\(links.count == 1 ? position : expected - missing) of \(expected) frames")
  }
}
