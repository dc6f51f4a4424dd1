// SPDX-License-Identifier: Apache-2.0

import DecodeMessages
import MediaTime
import SampleBuffers

/// The decoder of what libav knows, by the process `attacca-decode`.
final class HelperDecoder: FrameDecoder {
  private(set) var format: AudioFormat
  let fileFormat: FileFormat
  let metadata: FileMetadata
  private(set) var truncation: SoundFileError?
  /// Set where only the packets tell the length.
  let lengthSearch: LengthSearch?

  let details: StreamDetails

  private let file: RegularFile
  private let kind: String
  private let native: HelperMetadata
  private let shown: ShownFile
  private var session: HelperSession
  /// The frame that is read next.
  private var position: Int64 = 0
  /// Heard frames as the end has told them; nil before, and where they have no common count.
  private var countedAtEnd: Int64?
  private var hasOneFormat = true
  /// The last reply had no frames: the next one has some.
  private var hasNewFormat = false

  /// `kind` is what the file is, for people, as far as its first bytes tell.
  init(file: RegularFile, kind: String) throws(SoundFileError) {
    (self.file, self.kind) = (file, kind)
    let native = try HelperMetadata(of: file)
    self.native = native
    var shown = try file.forDisplay(else: ShownFile(window: 0..<file.size)) {
      () throws(SoundFileError) in try native.shown()
    }
    if file.isRemote { shown.supply = native.supply(of: kind) }
    self.shown = shown
    do throws(SoundFileError) {
      session = try HelperSession(file, shown, kind: kind)
    } catch {
      guard kind == HelperSignature.mpeg4, error.call == "avformat_open_input" else { throw error }
      throw SoundFileError(
        .broken, path: file.path, call: error.call, code: error.code,
        cause: "no table of samples in it: was it not downloaded to its end?")
    }
    let description = session.description
    format = try Self.format(description.format, file.path)
    fileFormat = FileFormat(helper: description)
    var told: [ToldChapter] = []
    do throws(HelperSession.Failure) {
      told = try session.chapters()
    } catch {
      // What is lost here is met, and asked again, by the first read.
    }
    let chapters = told.compactMap { Chapter($0) }.inOrder()
    metadata = try file.forDisplay(else: FileMetadata()) { () throws(SoundFileError) in
      try native.metadata(with: Tags(helper: description.tags), chapters)
    }
    details = StreamDetails(helper: description)
    if let count = description.frameCount, Self.isAbsurd(count, of: file) {
      throw SoundFileError(
        .absurdHeader, path: file.path, call: "attacca-decode",
        cause: "\(count) frames in \(file.size) bytes")
    }
    // A second look at what comes in its order alone would be as long as the first.
    guard description.frameCount == nil, !file.isSequential else {
      lengthSearch = nil
      return
    }
    lengthSearch = try LengthSearch.of(file) { () throws(SoundFileError) in
      HelperSurvey(of: file, shown, kind: kind)
    }
  }

  /// As of FLAC: a byte has 8,192 frames at most.
  static func isAbsurd(_ frames: Int64, of file: RegularFile) -> Bool { frames / 8_192 > file.size }

  static func format(_ format: WireFormat, _ path: String) throws(SoundFileError) -> AudioFormat {
    guard (1...8).contains(format.channelCount),
      (1...AudioFormat.highestSampleRate).contains(format.sampleRate)
    else {
      throw SoundFileError(
        .unsupported, path: path, call: "attacca-decode",
        cause: """
          \(format.channelCount) channels at \(format.sampleRate) Hz; up to 8 and \
          \(AudioFormat.highestSampleRate) Hz are possible
          """)
    }
    let layout = ChannelLayout(
      waveMask: Int(truncatingIfNeeded: format.mask), channelCount: format.channelCount)
    return AudioFormat(
      sampleRate: format.sampleRate, layout: layout ?? .usual(channelCount: format.channelCount))
  }

  var frameCount: Int64? {
    guard hasOneFormat else { return nil }
    return countedAtEnd ?? session.description.frameCount ?? lengthSearch?.frameCount
  }

  func pictures() throws(SoundFileError) -> [Picture] { try native.pictures() }

  func seek(to frame: Int64) throws(SoundFileError) {
    let target = min(frame, frameCount ?? frame)
    try again { session throws(HelperSession.Failure) in try session.seek(to: target) }
    position = target
  }

  func read(into samples: UnsafeMutablePointer<Float>, frames: Int) throws(SoundFileError) -> Int {
    let channels = format.channelCount
    // The process has met a stranger's bytes: behind the end that it told it is not asked.
    let wanted = session.description.frameCount.map { min(Int64(frames), $0 - position) }
    if let wanted, wanted <= 0, hasOneFormat { return 0 }
    let count = hasOneFormat ? Int(wanted ?? Int64(frames)) : frames
    var header: FramesHeader?
    try again { session throws(HelperSession.Failure) in
      header = try session.read(count, of: channels, into: samples)
    }
    guard let header else { return 0 }
    let isEmpty = header.count == 0 && !header.isAtEnd
    guard !isEmpty || !hasNewFormat, !Self.isAbsurd(position, of: file) || header.count == 0 else {
      throw HelperSession.error(.senseless, path: file.path)
    }
    hasNewFormat = isEmpty
    let next = try Self.format(header.format, file.path)
    if next != format { (format, hasOneFormat) = (next, false) }
    position += Int64(header.count)
    if let place = header.place { file.consumed = shown.window.lowerBound + place }
    if header.damages > 0, truncation == nil {
      truncation = SoundFileError(
        .broken, path: file.path, call: "avcodec_send_packet",
        cause: "damaged before frame \(position); what is missing is silent")
    }
    if header.isAtEnd { noteEnd(header.frameCount) }
    return header.count
  }

  /// `told` is the number of frames as the process has it at the end; behind a seek beyond that `position` is not.
  private func noteEnd(_ told: Int64?) {
    guard hasOneFormat else { return }
    if session.description.frameCount == nil, let told { position = min(position, told) }
    if let expected = frameCount, position < expected {
      truncation = SoundFileError(
        .truncated, path: file.path, call: "av_read_frame",
        cause: "\(position) of \(expected) frames")
    }
    countedAtEnd = position
  }

  /// Asks again, in a new process, where the one that decodes the file has been ended from outside.
  ///
  /// A file that ends it does so again, and is broken; one that takes it seconds of work is not tried again. What ends
  /// processes may have met the new one, too.
  private func again(
    _ body: (HelperSession) throws(HelperSession.Failure) -> Void
  ) throws(SoundFileError) {
    var tries = 0
    while true {
      let (begin, waited) = (HostTime.now(), session.waited)
      do throws(HelperSession.Failure) {
        if tries > 0 { try session.seek(to: position) }
        return try body(session)
      } catch {
        // Waiting for bytes is no work.
        guard case .ended = error, tries < HelperSession.triesAgain,
          HostTime.now() - begin < HelperSession.longestTry + session.waited - waited
        else { throw HelperSession.error(error, path: file.path) }
      }
      tries += 1
      session = try HelperSession(file, shown, kind: kind)
    }
  }
}
