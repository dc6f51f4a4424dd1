// SPDX-License-Identifier: Apache-2.0

import Preconditions
public import SampleBuffers

/// One sound file, open for reading.
///
/// One thread at a time: the decoder's. Opening, seeking and reading may block as long as the disk
/// and the decoder do; no lock is held meanwhile that another file would need.
public final class SoundFile {
  /// The file as the caller named it, for people.
  public let path: String
  /// Bytes of the file, when it was opened; 0 where that was not known.
  public let byteCount: Int64
  private let file: RegularFile
  private let pool: FramePool
  private let decoder: any FrameDecoder

  /// Opens a file and reads what its headers say.
  ///
  /// The first bytes decide which decoder is asked; none is if they are not audio.
  ///
  /// - Parameters:
  ///   - path: relative to the working directory, or absolute.
  ///   - pool: lends the memory that `read` fills.
  /// - Throws: `missing`, `unreadable`, `empty`, `notAudio`, `unsupported`, `absurdHeader` or
  ///   `broken`. A file that is cut short opens.
  public convenience init(path: BytePath, pool: FramePool) throws(SoundFileError) {
    try self.init(RegularFile(path: path), pool: pool)
  }

  /// Opens the bytes of a file in memory.
  ///
  /// - Parameters:
  ///   - bytes: All bytes of a file of any format that is decoded.
  ///   - name: What errors call the file.
  ///   - pool: As for `init(path:pool:)`.
  /// - Throws: As `init(path:pool:)`.
  public convenience init(
    _ bytes: [UInt8], name: String, pool: FramePool
  ) throws(SoundFileError) {
    try self.init(RegularFile(bytes, name: name), pool: pool)
  }

  /// Opens a file that is elsewhere, whose bytes come when they do.
  ///
  /// - Parameters:
  ///   - bytes: What the calls of this file read, and wait for.
  ///   - name: What errors call the file.
  ///   - pool: As for `init(path:pool:)`.
  /// - Throws: As `init(path:pool:)`.
  package convenience init(
    _ bytes: any RemoteBytes, name: String, pool: FramePool
  ) throws(SoundFileError) {
    try self.init(RegularFile(bytes, name: name), pool: pool)
  }

  private init(_ file: RegularFile, pool: FramePool) throws(SoundFileError) {
    (self.path, self.pool, self.file) = (file.path, pool, file)
    byteCount = file.size == RegularFile.unknownSize ? 0 : file.size
    decoder =
      switch try Signature(of: file) {
      case .oggFLAC where file.isSequential, .opus where file.isSequential,
        .vorbis where file.isSequential:
        try OggStreamDecoder(file: file)
      case .libsndfile(let container): try Self.libsndfile(file, container)
      case .flac(let start): try FLACDecoder(file: file, start: start)
      case .oggFLAC: try Self.oggFLAC(file)
      case .opus: try Self.opus(file)
      case .vorbis: try Self.vorbis(file)
      case .mpeg(let stream): try MP3Decoder(file: file, stream: stream)
      case .helper(let kind): try HelperDecoder(file: file, kind: kind)
      }
    let (rate, least) = (decoder.format.sampleRate, AudioFormat.lowestSourceRate)
    guard rate >= least else {
      throw SoundFileError(
        .absurdHeader, path: file.path, call: "open",
        cause: "a sample rate of \(rate) Hz; \(least) is the least")
    }
    file.dropOlderBlock()
  }

  /// The same of a path in UTF-8.
  public convenience init(path: String, pool: FramePool) throws(SoundFileError) {
    try self.init(path: BytePath(path), pool: pool)
  }

  /// Of what the library's containers hold it decodes a part.
  private static func libsndfile(
    _ file: RegularFile, _ container: FileFormat.Container
  ) throws(SoundFileError) -> any FrameDecoder {
    do throws(SoundFileError) {
      return try SndFileDecoder(file: file, container: container)
    } catch {
      // It calls headers of what it does not know broken: AAC, AC-3 and MPEG layer 2 in WAV.
      let isForeign =
        error.kind == .broken ? try SndFilePlan.hasForeignCode(file, container) : false
      guard error.kind == .unsupported || isForeign else { throw error }
      do throws(SoundFileError) {
        return try HelperDecoder(file: file, kind: container.rawValue)
      } catch let other {
        // What libsndfile says of the file is more than that libav does not know it either.
        throw other.call == "attacca-decode" || isForeign ? other : error
      }
    }
  }

  private static func oggFLAC(_ file: RegularFile) throws(SoundFileError) -> any FrameDecoder {
    guard let chain = try OggChain(of: file, shortest: 0) else { return try FLACDecoder(ogg: file) }
    return try OggChainDecoder(file: file, chain: chain) { file, link throws(SoundFileError) in
      try FLACDecoder(ogg: file, link: link)
    }
  }

  private static func opus(_ file: RegularFile) throws(SoundFileError) -> any FrameDecoder {
    guard let chain = try OggChain(of: file) else {
      return try SndFileDecoder(file: file, container: .ogg)
    }
    return try OggChainDecoder(file: file, chain: chain) { file, link throws(SoundFileError) in
      try SndFileDecoder(file: file, container: .ogg, link: link)
    }
  }

  private static func vorbis(_ file: RegularFile) throws(SoundFileError) -> any FrameDecoder {
    guard let chain = try OggChain(of: file) else { return try VorbisDecoder(file: file) }
    return try OggChainDecoder(file: file, chain: chain) { file, link throws(SoundFileError) in
      try VorbisDecoder(file: file, link: link)
    }
  }

  /// Rate and speakers of the next frames; a chained stream may change them between reads.
  public var format: AudioFormat { decoder.format }

  /// The place behind the last byte that has been taken for the frames read so far.
  package var consumedBytes: Int64 { file.consumed }

  /// Container and encoding.
  public var fileFormat: FileFormat { decoder.fileFormat }

  /// Heard frames, exactly; never an estimate.
  ///
  /// `nil` where the file does not tell, or not yet: `lengthSearch`, or where parts of it have
  /// different rates. It is known at the latest when `read` has returned `nil`. When the end
  /// comes earlier than the header says (see `truncation`), it is what was there.
  public var frameCount: Int64? { decoder.frameCount }

  /// The search for the file's length, which reads all of it; `nil` where its headers tell the length.
  ///
  /// Nobody has begun it: whoever wants to know runs it, on a thread of its own while the file plays.
  /// Frames far ahead are looked for by it, too.
  public var lengthSearch: LengthSearch? { decoder.lengthSearch }

  /// Tags of the file.
  public var tags: Tags { decoder.metadata.tags }

  /// The parts that the file names, in order; parts of parts are within them.
  public var chapters: [Chapter] { decoder.metadata.chapters }

  /// The pictures in the file, its cover among them; their bytes are not read.
  ///
  /// Up to 64 of them.
  ///
  /// - Throws: `unreadable` or `broken`.
  public func pictures() throws(SoundFileError) -> [Picture] { try decoder.pictures() }

  /// Reads the bytes of one of `pictures()`.
  ///
  /// - Parameters:
  ///   - picture: Of this file.
  ///   - limit: Bytes that are read, at most.
  /// - Returns: As many as there are: fewer than `Picture.byteCount` where the file ends before.
  /// - Throws: `unsupported` where the picture is longer than `limit`, `unreadable` or `broken`.
  public func bytes(
    of picture: Picture, atMost limit: Int = 1 << 26
  ) throws(SoundFileError) -> [UInt8] {
    guard picture.byteCount <= limit else {
      throw SoundFileError(
        .unsupported, path: path, call: "bytes(of:atMost:)",
        cause: "a picture of \(picture.byteCount) bytes; \(limit) at most were asked for")
    }
    switch picture.source {
    case .helper(let number):
      return try decoder.bytes(ofPicture: number, count: picture.byteCount)
    case .file(let pieces, let coding):
      return try PictureReading(pieces: pieces, coding: coding).bytes(picture.byteCount, of: file)
    }
  }

  /// Details of the file's stream: how the length is known, and what else the file tells.
  public var details: StreamDetails { decoder.details }

  /// Set once the file is known not to be whole: what is there is played, this says what is missing at the
  /// end, or is silent in the midst.
  ///
  /// Known at the latest when `read` has returned `nil`.
  public var truncation: SoundFileError? { decoder.truncation }

  /// Tells whether all samples are those that the file bears a checksum of: the MD5 of FLAC, so far.
  ///
  /// The file is decoded for that from its start to its end; what is read next stays what it was.
  ///
  /// - Parameter madeProgress: Called now and then, by this thread.
  /// - Returns: `nil` where the file bears no checksum.
  /// - Throws: `unreadable` or `broken`.
  public func hasItsChecksum(
    madeProgress: () -> Void = {}
  ) throws(SoundFileError) -> Bool? {
    try decoder.hasItsChecksum(madeProgress: madeProgress)
  }

  /// Goes to a frame, exactly: the next read starts with it, as if the file had been read up to it.
  ///
  /// Past the end is the end. Where the length is unknown this decodes from the start.
  ///
  /// - Precondition: `frame` is not negative.
  /// - Throws: `unreadable` or `broken`.
  public func seek(to frame: Int64) throws(SoundFileError) {
    require(frame >= 0, "a seek to frame \(frame); 0 and later are permitted")
    try decoder.seek(to: frame)
  }

  /// Decodes the next frames, all of one format.
  ///
  /// - Parameter frames: frames wanted, 1 or more.
  /// - Returns: as many frames as wanted unless the file ends or its format changes; `nil` at the
  ///   end.
  /// - Throws: `unreadable` or `broken`.
  public func read(frames: Int) throws(SoundFileError) -> Chunk? {
    require(frames > 0, "a read of \(frames) frames; 1 and more are permitted")
    while true {
      let format = decoder.format
      let storage = pool.take(samples: frames * format.channelCount)
      let count = try decoder.read(into: storage.samples, frames: frames)
      if count > 0 {
        if case .lossy = fileFormat.encoding {
          Self.silenceWhatIsNoNumber(storage.samples, count: count * format.channelCount)
        }
        return Chunk(storage: storage, frameCount: count, format: format)
      }
      if decoder.format == format { return nil }
    }
  }

  /// libopus makes NaN of some damaged packets; one in a filter of a rate converter would silence
  /// what follows, the next file's beginning included.
  private static func silenceWhatIsNoNumber(_ samples: UnsafeMutablePointer<Float>, count: Int) {
    for i in 0..<count where !samples[i].isFinite { samples[i] = 0 }
  }
}

@available(*, unavailable) extension SoundFile: Sendable {}
