// SPDX-License-Identifier: Apache-2.0

import CSndFile
import SampleBuffers

/// The way in which a file is given to libsndfile, decided from its own headers.
struct SndFilePlan {
  /// The bytes of each link, one but for chained Opus.
  let windows: [Range<Int64>]
  /// Set where the header's length is wrong, and the samples are read without it.
  let rawFormat: SndFileHandle.RawFormat?

  private let file: RegularFile
  private let container: FileFormat.Container
  private let header: PCMHeader?
  private let extent: PCMHeader.Extent
  /// The number of the file's bytes was known before any window was cut by it.
  private let isSizeKnown: Bool
  /// Set where an Ogg file does not end as it should.
  private let badEnd: String?

  init(
    file: RegularFile, container: FileFormat.Container, link: Range<Int64>? = nil
  ) throws(SoundFileError) {
    (self.file, self.container) = (file, container)
    isSizeKnown = file.size != RegularFile.unknownSize
    let header = try Self.header(of: file, container)
    self.header = header
    extent = header?.extent(in: file) ?? .whole
    if let header { try Self.check(header, file) }
    if container == .ogg {
      let layout = if let link { OggLayout(link: link) } else { try OggLayout(of: file) }
      (windows, badEnd, rawFormat) = (layout.links, layout.badEnd, nil)
      return
    }
    badEnd = nil
    switch (extent, header) {
    case (.whole, .some(let header)) where file.isRemote && header.rawFormat != nil,
      (.cut, .some(let header)) where file.isRemote && header.rawFormat != nil:
      // libsndfile would look at what stands behind the samples.
      let rest = min(header.declaredBytes ?? .max, header.availableBytes(in: file))
      windows = [header.dataOffset..<header.dataOffset + rest]
      rawFormat = Self.raw(header)
    case (.neverFinished, .some(let header)):
      windows = [header.dataOffset..<file.size]
      rawFormat = Self.raw(header)
    case (.cut, .some(let header)) where container == .caf && header.rawFormat != nil:
      // libsndfile refuses a CAF file whose samples are not all there, or none of them.
      windows = [min(header.dataOffset, file.size)..<file.size]
      rawFormat = Self.raw(header)
    case (.overflowed(let bytes), .some(let header)):
      windows = [header.dataOffset..<header.dataOffset + bytes]
      rawFormat = Self.raw(header)
    case (.whole, .some(let header)) where container == .w64 && header.declaredBytes != nil:
      // libsndfile plays what stands behind the samples, too.
      windows = [0..<header.dataOffset + (header.declaredBytes ?? 0)]
      rawFormat = nil
    default:
      windows = [0..<file.size]
      rawFormat = nil
    }
  }

  private static func header(
    of file: RegularFile, _ container: FileFormat.Container
  ) throws(SoundFileError) -> PCMHeader? {
    switch container {
    case .wav, .rf64: try WaveHeader.parse(file)
    case .w64: try W64Header.parse(file)
    case .aiff: try AIFFHeader.parse(file)
    case .caf: try CAFHeader.parse(file)
    default: nil
    }
  }

  /// Tells whether the header names a code that libsndfile does not decode.
  ///
  /// - Throws: `unsupported` for one that nobody can decode without knowing where its packets end.
  static func hasForeignCode(
    _ file: RegularFile, _ container: FileFormat.Container
  ) throws(SoundFileError) -> Bool {
    guard let header = try header(of: file, container), let code = header.foreignCode else {
      return false
    }
    let begin = try file.bytes(at: header.dataOffset, count: 8)
    guard WaveHeader.bareAACCodes.contains(code), HelperSignature.isBareAAC(begin) else {
      return true
    }
    throw SoundFileError(
      .unsupported, path: file.path, call: "Signature",
      cause: "AAC without ADTS in \(container.rawValue): nothing in it tells where a packet ends")
  }

  /// Before libsndfile sees the header: it allocates by channel.
  private static func check(_ header: PCMHeader, _ file: RegularFile) throws(SoundFileError) {
    guard (1...8).contains(header.channelCount), header.sampleRate >= 1,
      header.sampleRate <= Double(AudioFormat.highestSampleRate)
    else {
      throw absurd(
        file, "\(header.sampleRate) Hz, \(header.channelCount) channels", call: "PCMHeader")
    }
  }

  private static func absurd(
    _ file: RegularFile, _ cause: String, call: String = "sf_open_virtual"
  ) -> SoundFileError {
    SoundFileError(
      .absurdHeader, path: file.path, call: call,
      cause: "\(cause); up to \(AudioFormat.highestSampleRate) Hz and 8 channels are possible")
  }

  private static func raw(_ header: PCMHeader) -> SndFileHandle.RawFormat? {
    header.rawFormat.map {
      SndFileHandle.RawFormat(
        subtype: $0, sampleRate: Int32(header.sampleRate), channelCount: Int32(header.channelCount))
    }
  }

  /// The link with a window, open.
  func open(_ window: Range<Int64>) throws(SoundFileError) -> SndFileHandle {
    try SndFileHandle(file: file, window: window, rawFormat: rawFormat)
  }

  /// The first link, open.
  func open() throws(SoundFileError) -> SndFileHandle {
    do throws(SoundFileError) {
      return try open(windows[0])
    } catch {
      guard badEnd != nil, error.kind == .broken else { throw error }
      throw error.asTruncation
    }
  }

  /// Rate and speakers, judged before anything is allocated by them.
  func format(of handle: SndFileHandle) throws(SoundFileError) -> AudioFormat {
    let info = handle.info
    guard (1...8).contains(info.channels),
      (1...AudioFormat.highestSampleRate).contains(Int(info.samplerate))
    else { throw Self.absurd(file, "\(info.samplerate) Hz, \(info.channels) channels") }
    // An Opus packet of 5,760 frames has a byte or more.
    if let frames = frames(of: handle), frames < 0 || frames / 8192 > file.size {
      throw SoundFileError(
        .absurdHeader, path: file.path, call: "sf_open_virtual",
        cause: "\(frames) frames in \(file.size) bytes")
    }
    let channels = Int(info.channels)
    var layout =
      container == .ogg
      ? ChannelLayout.vorbis(channelCount: channels) : .usual(channelCount: channels)
    if let own = header?.layout, own.channelCount == channels { layout = own }
    return AudioFormat(sampleRate: Int(info.samplerate), layout: layout)
  }

  /// Frames of a link; `nil` where libsndfile counts them by a number of bytes that nobody knew when it began.
  func frames(of handle: SndFileHandle) -> Int64? {
    isSizeKnown || (header?.declaredBytes ?? 0) > 0 ? handle.frames : nil
  }

  /// Container and encoding; refuses what the allow-list has not.
  func fileFormat(of handle: SndFileHandle) throws(SoundFileError) -> FileFormat {
    let subtype = Int(handle.info.format) & Int(SF_FORMAT_SUBMASK)
    let encoding: FileFormat.Encoding? =
      switch subtype {
      case SF_FORMAT_PCM_S8, SF_FORMAT_PCM_U8: .integer(bits: 8)
      case SF_FORMAT_PCM_16, SF_FORMAT_ALAC_16: .integer(bits: 16)
      case SF_FORMAT_ALAC_20: .integer(bits: 20)
      case SF_FORMAT_PCM_24, SF_FORMAT_ALAC_24: .integer(bits: 24)
      case SF_FORMAT_PCM_32, SF_FORMAT_ALAC_32: .integer(bits: 32)
      case SF_FORMAT_FLOAT: .float(bits: 32)
      case SF_FORMAT_DOUBLE: .float(bits: 64)
      // Both expand to integers of 16 bits.
      case SF_FORMAT_ULAW, SF_FORMAT_ALAW: .integer(bits: 16)
      case SF_FORMAT_IMA_ADPCM: .lossy("IMA ADPCM")
      case SF_FORMAT_MS_ADPCM: .lossy("MS ADPCM")
      case SF_FORMAT_OPUS: .lossy("Opus")
      default: nil
      }
    guard let encoding else {
      throw SoundFileError(
        .unsupported, path: file.path, call: "sf_open_virtual",
        cause: "\(container.rawValue) with libsndfile's subtype \(subtype)")
    }
    return FileFormat(container: container, encoding: encoding)
  }

  func metadata(of handle: SndFileHandle) throws(SoundFileError) -> FileMetadata {
    if container == .ogg {
      return try OggComments(of: file, in: windows[0])?.metadata() ?? FileMetadata()
    }
    var found = try chunkTag()?.metadata() ?? FileMetadata()
    found.tags.fill(from: try InfoTags.tags(of: file, container))
    // What is in neither, such as the texts of AIFF.
    var tags = Tags()
    tags.title = handle.string(SF_STR_TITLE)
    tags.artist = handle.string(SF_STR_ARTIST)
    tags.album = handle.string(SF_STR_ALBUM)
    tags.trackNumber = handle.string(SF_STR_TRACKNUMBER)
    tags.genre = handle.string(SF_STR_GENRE)
    tags.date = handle.string(SF_STR_DATE)
    tags.comment = handle.string(SF_STR_COMMENT)
    found.tags.fill(from: tags)
    return found
  }

  func pictures() throws(SoundFileError) -> [Picture] {
    if container == .ogg { return try OggComments(of: file, in: windows[0])?.pictures() ?? [] }
    return try chunkTag()?.pictures() ?? []
  }

  /// The ID3v2 tag of a WAVE or AIFF file, in a chunk of its own.
  private func chunkTag() throws(SoundFileError) -> ID3Tag? {
    guard let place = try ID3Chunk.place(in: file, container) else { return nil }
    return try ID3Tag(at: place, in: file)
  }

  /// Returns what the headers alone tell of a file that is not whole.
  func truncation(frames: Int64?) -> SoundFileError? {
    let cause: String
    switch extent {
    case .cut(let expected): cause = "\(frames ?? 0) of \(expected) frames"
    case .neverFinished: cause = "the length was never written; \(frames ?? 0) frames are there"
    case .whole, .overflowed:
      guard let badEnd else { return nil }
      cause = "\(badEnd), after \(frames ?? 0) frames"
    }
    return SoundFileError(
      .truncated, path: file.path, call: container == .ogg ? "OggPage" : "PCMHeader", cause: cause)
  }
}
