// SPDX-License-Identifier: Apache-2.0

import Preconditions
import CSndFile
import Glibc
public import SampleBuffers

/// Writes frames into a new sound file.
///
/// The file appears under its name when `finish` has returned, whole; until then it grows under a
/// temporary name beside it, which goes away with this object. One thread at a time.
public final class SoundFileWriter {
  /// The file as the caller named it, for people.
  public let path: String
  /// Rate and speakers of the frames to be written.
  public let format: AudioFormat
  /// Container and encoding.
  public let fileType: WrittenFileType
  /// Samples beyond full scale so far, or not numbers, that an integer file could not hold as they
  /// were; always 0 for floating point and lossy files.
  public private(set) var saturatedSampleCount: Int64 = 0
  /// Frames so far.
  public private(set) var frameCount: Int64 = 0
  /// The file under its temporary name, for who ends the process before this object does.
  public var partialFile: PartialFile { sink.file }

  private let sink: ByteSink
  private let order: [Int]
  private var quantizer: Quantizer?
  private var handle: OpaquePointer?
  private var integers: [Int32] = []
  private let reordered: FrameStorage

  /// Vorbis and Opus encoders put what one call brings on the stack.
  private static let framesPerCall = 4096

  /// Begins a file.
  ///
  /// - Parameters:
  ///   - path: where the file is to be, or a link to that; its folder must be there.
  ///   - format: of the frames that `write` is given.
  ///   - fileType: container and encoding.
  ///   - dither: adds triangular noise of two steps before rounding to integers: for signals of
  ///     more depth than the file's. Without it, samples that the file can hold are held exactly.
  ///   - overwrite: whether a file of that name may be replaced.
  /// - Throws: `exists`, `unwritable`, or `unsupported` for a rate, a channel count or a depth that
  ///   the file type has not.
  public init(
    path: BytePath, format: AudioFormat, fileType: WrittenFileType, dither: Bool = false,
    overwrite: Bool = false
  ) throws(SoundFileError) {
    (self.path, self.format, self.fileType) = (path.text, format, fileType)
    try fileType.check(format, path: path.text)
    sink = try ByteSink(path: path, overwrite: overwrite)
    let layout = fileType.writtenLayout(for: format.layout)
    order = layout.speakers.map { format.layout.firstIndex(of: $0)! }
    reordered = FrameStorage(capacity: Self.framesPerCall * format.channelCount)
    if let bits = fileType.integerBits { quantizer = Quantizer(bits: bits, dither: dither) }

    var info = SF_INFO()
    info.samplerate = Int32(format.sampleRate)
    info.channels = Int32(format.channelCount)
    info.format = fileType.sndfileFormat(channelCount: format.channelCount)
    var io = ByteSink.callbacks
    let sink = sink
    let (opened, code, cause) = OpenTurn.libsndfile.take {
      () -> (handle: OpaquePointer?, code: Int32, cause: String) in
      if let handle = sf_open_virtual(&io, Int32(SFM_WRITE), &info, sink.pointer) {
        return (handle, 0, "")
      }
      return (nil, sf_error(nil), String(cString: sf_strerror(nil)))
    }
    guard let opened else {
      if let failure = sink.failure { throw failure }
      throw SoundFileError(
        .unsupported, path: path.text, call: "sf_open_virtual", code: code, cause: cause)
    }
    handle = opened
    // The peak chunk carries the time of day, and equal input would make unequal files.
    sf_command(opened, Int32(SFC_SET_ADD_PEAK_CHUNK), nil, Int32(SF_FALSE))
    if fileType.storesChannelMap, format.channelCount > 2 {
      var map = layout.speakers.map(\.sndfilePlace)
      let size = Int32(map.count * MemoryLayout<Int32>.stride)
      sf_command(opened, Int32(SFC_SET_CHANNEL_MAP_INFO), &map, size)
    }
  }

  /// The same with a path in UTF-8.
  public convenience init(
    path: String, format: AudioFormat, fileType: WrittenFileType, dither: Bool = false,
    overwrite: Bool = false
  ) throws(SoundFileError) {
    try self.init(
      path: BytePath(path), format: format, fileType: fileType, dither: dither,
      overwrite: overwrite)
  }

  deinit {
    if let handle { sf_close(handle) }
  }

  /// Adds frames.
  ///
  /// - Parameter samples: whole frames, interleaved in the order of `format.layout`.
  /// - Precondition: not after `finish`.
  /// - Throws: `unwritable`, such as for a full disk; the file is then lost.
  public func write(_ samples: UnsafeBufferPointer<Float>) throws(SoundFileError) {
    let channels = format.channelCount
    require(
      samples.count % channels == 0,
      "\(samples.count) samples of \(channels) channels; whole frames are permitted")
    guard let handle else { trap("a write to \(path) after finish") }
    guard var rest = samples.baseAddress else { return }
    var frames = samples.count / channels
    while frames > 0 {
      let count = min(frames, Self.framesPerCall)
      try write(rest, frames: count, to: handle)
      rest += count * channels
      frames -= count
    }
  }

  private func write(
    _ samples: UnsafePointer<Float>, frames: Int, to handle: OpaquePointer
  ) throws(SoundFileError) {
    let bytes = (frameCount + Int64(frames)) * Int64(fileType.bytesPerFrame(of: format))
    if let limit = fileType.byteLimit, bytes > limit {
      throw SoundFileError(
        .unwritable, path: path, call: "SoundFileWriter",
        cause: "\(fileType.container.rawValue) ends at 4 GiB; w64, rf64 and caf do not")
    }
    let source = inFileOrder(samples, frames: frames)
    let count = frames * format.channelCount
    let written: sf_count_t
    if quantizer != nil {
      if integers.count < count { integers = [Int32](repeating: 0, count: count) }
      saturatedSampleCount += Int64(quantizer!.quantize(source, count: count, into: &integers))
      written = sf_writef_int(handle, integers, sf_count_t(frames))
    } else {
      written = sf_writef_float(handle, source, sf_count_t(frames))
    }
    if let failure = sink.failure { throw failure }
    guard written == sf_count_t(frames) else {
      throw SoundFileError(
        .unwritable, path: path, call: "sf_writef", code: sf_error(handle),
        cause: String(cString: sf_strerror(handle)))
    }
    frameCount += Int64(frames)
  }

  /// The same frames with their channels as the file has them; the result lasts until the next call.
  private func inFileOrder(_ samples: UnsafePointer<Float>, frames: Int) -> UnsafePointer<Float> {
    let channels = format.channelCount
    if order.elementsEqual(0..<channels) { return samples }
    for frame in 0..<frames {
      for channel in 0..<channels {
        reordered.samples[frame * channels + channel] = samples[frame * channels + order[channel]]
      }
    }
    return UnsafePointer(reordered.samples)
  }

  /// Ends the file, has it written to the disk and gives it its name.
  ///
  /// - Throws: `unwritable`, or `exists` where another file took the name meanwhile.
  public func finish() throws(SoundFileError) {
    guard let handle else { trap("\(path) is finished already") }
    self.handle = nil
    let code = sf_close(handle)
    if let failure = sink.failure { throw failure }
    guard code == 0 else {
      throw SoundFileError(
        .unwritable, path: path, call: "sf_close", code: code,
        cause: String(cString: sf_error_number(code)))
    }
    try sink.publish()
  }
}

@available(*, unavailable) extension SoundFileWriter: Sendable {}
