// SPDX-License-Identifier: Apache-2.0

import CFLAC
import Glibc
import SampleBuffers

/// One `FLAC__StreamDecoder`, the bytes it reads, and the frames it has made of the last of them.
final class FLACHandle {
  /// Frames that follow each other, of one kind.
  struct Run {
    /// The number of the first one in the stream.
    let number: Int64
    let count: Int
    let sampleRate: Int
    let channelCount: Int
    /// Of a sample, in the file.
    let bits: Int
  }

  /// The frames decoded last; nil where there were none.
  private(set) var run: Run?
  /// Samples of `run`, interleaved, of full scale 1.
  var samples: UnsafeMutablePointer<Float> { storage.samples }
  /// Number of times that something could not be decoded.
  private(set) var damages = 0

  private let source: ByteSource
  private let decoder: UnsafeMutablePointer<FLAC__StreamDecoder>
  private var storage = FrameStorage(capacity: 0)
  /// The library has made silence for missing blocks, in the memory of the block that follows.
  private var hasMended = false
  /// Number of the last block that was decoded again, since the last seek: where numbers come twice, the same
  /// would be found for ever.
  private var mended: Int64 = -1
  /// Bytes that are looked at for one block: of gigabytes of noise the library would read every one.
  private let allowance: Int
  /// Up to where it may read: behind damage it looks at bytes again.
  private var limit: Int64 = 0
  private let checksSum: Bool
  /// Of the Ogg stream; nil for a file of FLAC alone.
  private let serial: UInt32?

  /// Shows the library `head`, and then the bytes of `window`: an Ogg stream where `serial` says which, else
  /// headers and blocks, of what `info` says.
  convenience init(
    file: RegularFile, window: Range<Int64>, after head: [UInt8], _ info: FLACInfo,
    serial: UInt32? = nil, end: OggLinkEnd? = nil
  ) throws(SoundFileError) {
    let source = ByteSource(file: file, window: window, after: head)
    source.linkEnd = end
    try self.init(
      source,
      // Pages add 1 in 255 to what they hold, and are read to their end.
      allowance: info.largestBlock + (serial == nil ? 1 << 16 : info.largestBlock / 32 + 1 << 18),
      serial: serial, checksSum: false)
  }

  /// The same bytes as `other`, from their start, with a sum of the samples that `finish` compares.
  convenience init(again other: FLACHandle) throws(SoundFileError) {
    try self.init(
      ByteSource(again: other.source), allowance: other.allowance, serial: other.serial,
      checksSum: true)
  }

  private init(
    _ source: ByteSource, allowance: Int, serial: UInt32?, checksSum: Bool
  ) throws(SoundFileError) {
    (self.source, self.allowance, self.serial) = (source, allowance, serial)
    self.checksSum = checksSum
    guard let decoder = FLAC__stream_decoder_new() else {
      throw SoundFileError(
        .broken, path: source.path, call: "FLAC__stream_decoder_new",
        cause: "no memory for a decoder")
    }
    self.decoder = decoder
    FLAC__stream_decoder_set_md5_checking(decoder, checksSum ? 1 : 0)
    if let serial {
      FLAC__stream_decoder_set_ogg_serial_number(decoder, Int(Int32(bitPattern: serial)))
    }
    let start =
      serial == nil ? FLAC__stream_decoder_init_stream : FLAC__stream_decoder_init_ogg_stream
    let status = start(
      decoder, Self.read, Self.seek, Self.tell, Self.length, Self.isAtEnd, Self.write, nil,
      Self.noteDamage, Unmanaged.passUnretained(self).toOpaque())
    guard status == FLAC__STREAM_DECODER_INIT_STATUS_OK else {
      throw SoundFileError(
        .broken, path: source.path, call: "FLAC__stream_decoder_init_stream",
        code: Int32(status.rawValue), cause: "the library refuses to start")
    }
  }

  deinit { FLAC__stream_decoder_delete(decoder) }

  // MARK: Decoding

  /// Decodes the next frames; the C function is `FLAC__stream_decoder_process_single`.
  ///
  /// - Returns: whether there were any; if not, the bytes are at their end, or too many of them were no frames.
  func decode() throws(SoundFileError) -> Bool {
    forget()
    allow(allowance)
    while run == nil {
      let isOver = FLAC__stream_decoder_process_single(decoder) == 0
      if source.failure != 0 { throw unreadable }
      let state = FLAC__stream_decoder_get_state(decoder)
      if isOver || state.rawValue >= FLAC__STREAM_DECODER_END_OF_STREAM.rawValue { break }
    }
    guard let found = run, hasMended, !checksSum, found.number > mended else { return run != nil }
    mended = found.number
    // libFLAC 1.4.2 loses the samples of the block behind a hole to that silence: it is decoded again. Where it
    // is not found again it is missing as well, and what follows it comes next.
    var end: UInt64 = 0
    let hasEnd = FLAC__stream_decoder_get_decode_position(decoder, &end) != 0
    if try find(found.number) { return true }
    if hasEnd { _ = source.seek(to: Int64(clamping: end), whence: SEEK_SET) }
    return try decode()
  }

  private func allow(_ count: Int) {
    limit = source.position + Int64(count)
    source.allowance = count
  }

  /// Goes to the frame with a number and decodes it; the C function is `FLAC__stream_decoder_seek_absolute`.
  ///
  /// - Returns: whether the library found it: it does not close to damage.
  func seek(to number: Int64) throws(SoundFileError) -> Bool {
    mended = -1
    return try find(number)
  }

  private func find(_ number: Int64) throws(SoundFileError) -> Bool {
    forget()
    // It looks at a block in each step.
    (limit, source.allowance) = (.max, 32 * allowance)
    let isThere = FLAC__stream_decoder_seek_absolute(decoder, UInt64(number)) != 0
    if source.failure != 0 { throw unreadable }
    if isThere, run?.number == number { return true }
    FLAC__stream_decoder_flush(decoder)
    forget()
    return false
  }

  /// Begins anew; the C function is `FLAC__stream_decoder_reset`.
  func rewind() {
    forget()
    mended = -1
    allow(allowance)
    FLAC__stream_decoder_reset(decoder)
  }

  /// Tells whether the samples decoded from the start to the end have the MD5 sum that the headers tell.
  ///
  /// The C function is `FLAC__stream_decoder_finish`, after which nothing can be decoded any more.
  func finish() -> Bool { FLAC__stream_decoder_finish(decoder) != 0 }

  /// True where all bytes have been read.
  var isAtEnd: Bool { source.position >= source.size }

  private func forget() {
    (run, hasMended) = (nil, false)
  }

  private var unreadable: SoundFileError {
    SoundFileError(
      .unreadable, path: source.path, call: "pread", code: source.failure,
      cause: SystemError(code: source.failure).text)
  }

  // MARK: What the library calls

  private static func from(_ client: UnsafeMutableRawPointer?) -> FLACHandle {
    Unmanaged.fromOpaque(client!).takeUnretainedValue()
  }

  private static let read: FLAC__StreamDecoderReadCallback = { _, buffer, count, client in
    let bytes = UnsafeMutableRawBufferPointer(start: buffer, count: count!.pointee)
    let read = from(client).source.read(into: bytes)
    count!.pointee = max(read, 0)
    if read < 0 { return FLAC__STREAM_DECODER_READ_STATUS_ABORT }
    return read == 0
      ? FLAC__STREAM_DECODER_READ_STATUS_END_OF_STREAM : FLAC__STREAM_DECODER_READ_STATUS_CONTINUE
  }

  private static let seek: FLAC__StreamDecoderSeekCallback = { _, offset, client in
    let handle = from(client)
    let place = handle.source.seek(to: Int64(clamping: offset), whence: SEEK_SET)
    if handle.limit != .max { handle.source.allowance = Int(max(0, handle.limit - place)) }
    return place < 0 ? FLAC__STREAM_DECODER_SEEK_STATUS_ERROR : FLAC__STREAM_DECODER_SEEK_STATUS_OK
  }

  private static let tell: FLAC__StreamDecoderTellCallback = { _, offset, client in
    offset!.pointee = UInt64(from(client).source.position)
    return FLAC__STREAM_DECODER_TELL_STATUS_OK
  }

  private static let length: FLAC__StreamDecoderLengthCallback = { _, length, client in
    length!.pointee = UInt64(from(client).source.size)
    return FLAC__STREAM_DECODER_LENGTH_STATUS_OK
  }

  private static let isAtEnd: FLAC__StreamDecoderEofCallback = { _, client in
    from(client).isAtEnd ? 1 : 0
  }

  private static let write: FLAC__StreamDecoderWriteCallback = { _, frame, planes, client in
    from(client).add(frame!.pointee.header, planes!)
    return FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE
  }

  private static let noteDamage: FLAC__StreamDecoderErrorCallback = { _, _, client in
    from(client).damages += 1
  }

  private func add(
    _ header: FLAC__FrameHeader, _ planes: UnsafePointer<UnsafePointer<FLAC__int32>?>
  ) {
    let (count, channels) = (Int(header.blocksize), Int(header.channels))
    guard count > 0, (1...8).contains(channels), (4...32).contains(header.bits_per_sample) else {
      return
    }
    // Of several runs the last is the block that was found, the others are silence: 100 MB of it at worst.
    hasMended = run != nil
    if storage.capacity < count * channels { storage = FrameStorage(capacity: count * channels) }
    let out = storage.samples
    let scale = 1 / Float(UInt64(1) << UInt64(header.bits_per_sample - 1))
    if channels == 2, let left = planes[0], let right = planes[1] {
      for i in 0..<count {
        out[2 &* i] = Float(left[i]) * scale
        out[2 &* i &+ 1] = Float(right[i]) * scale
      }
    } else {
      for channel in 0..<channels {
        guard let plane = planes[channel] else { continue }
        for i in 0..<count { out[i &* channels &+ channel] = Float(plane[i]) * scale }
      }
    }
    run = Run(
      number: Int64(clamping: header.number.sample_number), count: count,
      sampleRate: Int(header.sample_rate), channelCount: channels, bits: Int(header.bits_per_sample)
    )
  }
}
