// SPDX-License-Identifier: Apache-2.0

import SampleBuffers

/// FLAC and Ogg FLAC by libFLAC.
///
/// libsndfile refuses 12, 15, 20 and 32 bits, Ogg, and streams without headers.
final class FLACDecoder: FrameDecoder {
  private(set) var format: AudioFormat
  let fileFormat: FileFormat
  private(set) var frameCount: Int64?
  let metadata: FileMetadata
  private(set) var truncation: SoundFileError?

  private(set) var details: StreamDetails

  private let path: String
  private let handle: FLACHandle
  private let findPictures: () throws(SoundFileError) -> [Picture]
  private let info: FLACInfo
  private var numbers: FLACNumbering
  private var place = FLACPlace()
  private var damages = 0
  /// False once there are frames of two formats, or more than were told.
  private var hasLength = true
  /// True once the end has been met: what the library finds behind it, after a seek, is no part of the stream.
  private var hasMetEnd = false
  /// The error that the next read throws: the frames before it were good, and have been read.
  private var failure: SoundFileError?

  /// A FLAC file whose stream begins at `start`.
  convenience init(file: RegularFile, start: Int64) throws(SoundFileError) {
    let stream = try FLACStream(of: file, from: start)
    guard let info = stream.info else {
      throw SoundFileError(
        .broken, path: file.path, call: "FLACStream",
        cause: "a FLAC file without a STREAMINFO, or blocks that tell what it would")
    }
    try self.init(
      FLACHandle(file: file, window: stream.blocks, after: stream.head, info), of: file,
      info, container: .flac,
      metadata: try file.forDisplay(else: FileMetadata()) { () throws(SoundFileError) in
        try FLACComments.metadata(of: file, from: start)
      },
      pictures: { () throws(SoundFileError) in try FLACComments.pictures(of: file, from: start) },
      frameCount: stream.frameCount)
    if !stream.isCountedByBlock { details.lengthSource = .header }
    if let stated = stream.statedCount, let count = frameCount, stated != count {
      numbers.doubt()
      if stated > count { noteTruncation(to: count, of: stated) }
    }
  }

  /// The whole of an Ogg file, or one link of a chain.
  convenience init(
    ogg file: RegularFile, link: Range<Int64>? = nil, end: OggLinkEnd? = nil
  ) throws(SoundFileError) {
    let layout = if let link { OggLayout(link: link) } else { try OggLayout(of: file) }
    guard let stream = try OggFLACStream(of: file, in: layout.links[0]) else {
      throw SoundFileError(
        .broken, path: file.path, call: "OggFLACStream", cause: "a link without FLAC headers")
    }
    let (comments, metadata) = try OggComments.found(in: layout.links[0], of: file)
    try self.init(
      FLACHandle(
        file: file, window: stream.rest, after: stream.head, stream.info, serial: stream.serial,
        end: end),
      of: file, stream.info, container: .ogg, metadata: metadata,
      pictures: { () throws(SoundFileError) in try comments?.pictures() ?? [] },
      frameCount: stream.frameCount)
    if let badEnd = layout.badEnd {
      truncation = SoundFileError(
        .truncated, path: path, call: "OggPage", cause: "\(badEnd), after \(frameCount ?? 0) frames"
      )
    }
  }

  private init(
    _ handle: FLACHandle, of file: RegularFile, _ info: FLACInfo, container: FileFormat.Container,
    metadata: FileMetadata, pictures: @escaping () throws(SoundFileError) -> [Picture],
    frameCount: Int64?
  ) throws(SoundFileError) {
    (path, self.handle, self.info) = (file.path, handle, info)
    (self.metadata, findPictures) = (metadata, pictures)
    details = StreamDetails(container == .ogg ? .lastPage : .lastBlock)
    // A block of 65,535 equal samples has 11 bytes or more.
    if let frameCount, frameCount / 8192 > file.size {
      throw Self.absurd(path, "\(frameCount) frames in \(file.size) bytes")
    }
    let isThere = try handle.decode()
    let begin = handle.run
    if !isThere, frameCount == nil || frameCount == 0 {
      throw SoundFileError(
        .empty, path: path, call: "FLAC__stream_decoder_process_single",
        cause: "a header without frames")
    }
    format = try Self.format(
      begin?.sampleRate ?? info.sampleRate, begin?.channelCount ?? info.channelCount, path)
    fileFormat = FileFormat(
      container: container, encoding: .integer(bits: begin?.bits ?? info.bits))
    let first = begin?.number ?? 0
    numbers = FLACNumbering(first: first)
    damages = handle.damages
    // What the last page says counts from the first frame's number.
    self.frameCount = container == .ogg ? frameCount.map { max(1, $0 - first) } : frameCount
    if isThere { try enter() }
  }

  private static func format(
    _ rate: Int, _ channels: Int, _ path: String
  ) throws(SoundFileError) -> AudioFormat {
    guard (1...AudioFormat.highestSampleRate).contains(rate) else {
      throw absurd(path, "\(rate) Hz; up to \(AudioFormat.highestSampleRate) are possible")
    }
    return AudioFormat(sampleRate: rate, layout: .usual(channelCount: channels))
  }

  private static func absurd(_ path: String, _ cause: String) -> SoundFileError {
    SoundFileError(.absurdHeader, path: path, call: "FLACStream", cause: cause)
  }

  // MARK: Reading

  func read(into samples: UnsafeMutablePointer<Float>, frames: Int) throws(SoundFileError) -> Int {
    if let failure { throw failure }
    let before = format
    var filled = 0
    while filled < frames, !place.isSpent {
      do throws(SoundFileError) {
        guard try prepare() else {
          try noteEnd()
          break
        }
      } catch {
        if filled == 0 { throw error }
        failure = error
        break
      }
      guard format == before else { break }
      filled += take(frames - filled, into: samples + filled * before.channelCount)
    }
    return filled
  }

  /// Sees to it that there are frames to be taken, of `format` as it is afterwards.
  ///
  /// - Returns: false at the end.
  private func prepare() throws(SoundFileError) -> Bool {
    if isAtKnownEnd { return false }
    while place.isBehind(run: handle.run?.count ?? 0) {
      guard try handle.decode() else { return false }
      try enter()
    }
    return true
  }

  /// True at the end that an earlier read has met.
  private var isAtKnownEnd: Bool { hasMetEnd && place.position >= frameCount ?? .max }

  /// Begins with the handle's run.
  private func enter() throws(SoundFileError) {
    guard let next = handle.run else { return }
    // What has a number behind the end is no block of this stream.
    let position = place.position
    let most = (frameCount ?? position + Int64(60 * next.sampleRate)) - position
    let missing = numbers.enter(next.number, count: next.count, atMost: most)
    place.enter(behind: missing)
    if missing > 0 || handle.damages != damages { noteDamage() }
    let (rate, channels) = (next.sampleRate, next.channelCount)
    if rate != format.sampleRate || channels != format.channelCount {
      format = try Self.format(rate, channels, path)
      (frameCount, hasLength) = (nil, false)
    }
  }

  /// Takes up to `frames` frames, which `prepare` has found, to `out` if there is one.
  ///
  /// - Returns: how many were there.
  private func take(_ frames: Int, into out: UnsafeMutablePointer<Float>?) -> Int {
    let channels = format.channelCount
    let most = hasMetEnd ? (frameCount ?? .max) - place.position : .max
    let (count, begin) = place.take(Int(min(Int64(frames), most)), ofRun: handle.run?.count ?? 0)
    if let begin {
      out?.update(from: handle.samples + begin * channels, count: count * channels)
    } else {
      out?.update(repeating: 0, count: count * channels)
    }
    // The last block was not to be found, or files stand behind each other.
    if let total = frameCount, place.position > total { (frameCount, hasLength) = (nil, false) }
    return count
  }

  private func noteEnd() throws(SoundFileError) {
    let isKnown = isAtKnownEnd
    place.end()
    if isKnown { return }
    let (expected, position) = (frameCount, place.position)
    if hasLength { (frameCount, details.lengthSource) = (position, .packets) }
    guard handle.isAtEnd else {
      throw SoundFileError(
        .broken, path: path, call: "FLAC__stream_decoder_process_single",
        cause: "damaged after \(position)\(expected.map { " of \($0)" } ?? "") frames")
    }
    hasMetEnd = hasLength
    if let expected, position < expected { noteTruncation(to: position, of: expected) }
  }

  private func noteTruncation(to count: Int64, of expected: Int64) {
    guard truncation == nil || truncation?.kind == .broken else { return }
    truncation = SoundFileError(
      .truncated, path: path, call: "FLAC__stream_decoder_process_single",
      cause: "\(count) of \(expected) frames")
  }

  private func noteDamage() {
    damages = handle.damages
    guard truncation == nil else { return }
    truncation = SoundFileError(
      .broken, path: path, call: "FLAC__stream_decoder_process_single",
      cause: "damaged at frame \(place.position); what is missing is silent")
  }

  func pictures() throws(SoundFileError) -> [Picture] { try findPictures() }

  func hasItsChecksum(madeProgress: () -> Void) throws(SoundFileError) -> Bool? {
    guard info.hasChecksum else { return nil }
    let handle = try FLACHandle(again: handle)
    while try handle.decode() { madeProgress() }
    return handle.finish() && handle.damages == 0
  }

  // MARK: Seeking

  func seek(to frame: Int64) throws(SoundFileError) {
    failure = nil
    let target = min(frame, frameCount ?? frame)
    if let frameCount, target == frameCount {
      return place.end(at: target)
    }
    let isNear = !place.isSpent && place.position <= target && target - place.position < 8_192
    if !isNear { try enter(before: target) }
    try skip(to: target)
  }

  /// Goes to a frame that is not behind `target`: the library finds none close to damage.
  private func enter(before target: Int64) throws(SoundFileError) {
    place.leave()
    var (start, step) = (numbers.areUneven ? 0 : target, Int64(4_096))
    while start > 0 {
      // It looks for a place between the first number and the last, and takes the first for 0.
      if numbers.first > 0 { _ = try begin() }
      if try handle.seek(to: numbers.first + start) {
        place.move(to: start)
        damages = handle.damages
        return try enter(number: numbers.first + start)
      }
      start = max(0, start - step)
      step *= 4
    }
    _ = try begin()
  }

  /// Goes to the first frame.
  ///
  /// - Returns: whether there is one.
  private func begin() throws(SoundFileError) -> Bool {
    handle.rewind()
    place.restart()
    guard try handle.decode() else { return false }
    damages = handle.damages
    try enter(number: numbers.first)
    return true
  }

  /// Begins with the run that was sought.
  private func enter(number: Int64) throws(SoundFileError) {
    numbers.seek(to: number)
    try enter()
  }

  private func skip(to target: Int64) throws(SoundFileError) {
    while place.position < target, !place.isSpent {
      guard try prepare() else { return try noteEnd() }
      _ = take(Int(min(target - place.position, 1 << 20)), into: nil)
    }
  }
}
