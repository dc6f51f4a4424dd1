// SPDX-License-Identifier: Apache-2.0

import CVorbisFile
import Glibc
import SampleBuffers

/// Ogg Vorbis, chained streams included, by libvorbisfile.
///
/// libsndfile plays only the first link, and 3 to 4 % of its seeks land up to 54 ms off.
final class VorbisDecoder: FrameDecoder {
  private(set) var format: AudioFormat
  let fileFormat = FileFormat(container: .ogg, encoding: .lossy("Vorbis"))
  private(set) var frameCount: Int64?
  let metadata: FileMetadata
  private(set) var truncation: SoundFileError?

  private let path: String
  private let comments: OggComments?
  private let source: ByteSource
  /// On the heap, as libvorbisfile keeps pointers into it.
  private let handle: UnsafeMutablePointer<OggVorbis_File>
  /// Frames of all links, whatever their rates.
  private let total: Int64
  private var position: Int64 = 0
  /// Decoded frames of the next format; the library keeps them until the next call.
  private var pending: (planes: Planes, count: Int)?
  /// Failure that was met behind frames that were still good.
  private var failure: SoundFileError?
  /// Set once the library has refused to go on: asked again, it takes codebooks for ready that it
  /// has never made, and divides by their dimension, 0.
  private var refusal: SoundFileError?

  /// Bytes that may be read before some sound comes of them: of video, a second of 8 Mbit/s.
  private static let allowance = 1 << 20

  private typealias Planes = UnsafeMutablePointer<UnsafeMutablePointer<Float>?>

  /// The whole of `file`, or one link of a chain.
  init(file: RegularFile, link: Range<Int64>? = nil) throws(SoundFileError) {
    path = file.path
    let layout = if let link { OggLayout(link: link) } else { try OggLayout(of: file) }
    let end = layout.endsInRubbish ? layout.links[layout.links.count - 1].upperBound : file.size
    source = ByteSource(file: file, window: link ?? 0..<end)
    (comments, metadata) = try OggComments.found(in: layout.links[0], of: file)
    let handle = UnsafeMutablePointer<OggVorbis_File>.allocate(capacity: 1)
    let code = ov_open_callbacks(source.pointer, handle, nil, 0, Self.callbacks)
    guard code == 0 else {
      handle.deallocate()
      let error = Self.error(code, call: "ov_open_callbacks", source: source, path: file.path)
      throw layout.badEnd != nil && error.kind == .broken ? error.asTruncation : error
    }
    self.handle = handle
    do throws(SoundFileError) {
      let formats = try Self.formats(of: handle, path: file.path)
      let total = Int64(ov_pcm_total(handle, -1))
      // 8192 frames are the most that a packet, of a byte or more, can hold.
      guard total >= 0, total / 8192 <= file.size else {
        throw SoundFileError(
          .absurdHeader, path: file.path, call: "ov_pcm_total",
          cause: "\(total) frames in \(file.size) bytes")
      }
      guard total > 0 else {
        throw SoundFileError(.empty, path: file.path, call: "ov_pcm_total", cause: "no frame")
      }
      format = formats[0]
      frameCount = formats.allSatisfy { $0 == formats[0] } ? total : nil
      self.total = total
    } catch {
      ov_clear(handle)
      handle.deallocate()
      throw error
    }
    if let badEnd = layout.badEnd {
      truncation = SoundFileError(
        .truncated, path: path, call: "OggPage", cause: "\(badEnd), after \(total) frames")
    }
    source.allowance = Self.allowance
  }

  /// A link whose end cannot be looked at: it has no length, and no way back.
  init(file: RegularFile, link: Range<Int64>, end: OggLinkEnd) throws(SoundFileError) {
    path = file.path
    source = ByteSource(file: file, window: link)
    source.linkEnd = end
    (comments, metadata) = try OggComments.found(in: link, of: file)
    let handle = UnsafeMutablePointer<OggVorbis_File>.allocate(capacity: 1)
    var callbacks = Self.callbacks
    (callbacks.seek_func, callbacks.tell_func) = (nil, nil)
    let code = ov_open_callbacks(source.pointer, handle, nil, 0, callbacks)
    guard code == 0 else {
      handle.deallocate()
      throw Self.error(code, call: "ov_open_callbacks", source: source, path: file.path)
    }
    self.handle = handle
    do throws(SoundFileError) {
      format = try Self.format(ofLink: 0, of: handle, path: file.path)
    } catch {
      ov_clear(handle)
      handle.deallocate()
      throw error
    }
    total = .max
    source.allowance = Self.allowance
  }

  deinit {
    ov_clear(handle)
    handle.deallocate()
  }

  private static let callbacks = ov_callbacks(
    read_func: { buffer, size, count, pointer in
      let bytes = UnsafeMutableRawBufferPointer(start: buffer, count: size * count)
      // As `fread`: 0 with `errno` set is a failure.
      errno = 0
      return max(ByteSource.from(pointer!).read(into: bytes), 0) / max(size, 1)
    },
    seek_func: { pointer, offset, whence in
      ByteSource.from(pointer!).seek(to: offset, whence: whence) < 0 ? -1 : 0
    },
    close_func: nil,
    tell_func: { pointer in Int(ByteSource.from(pointer!).position) })

  private static func formats(
    of handle: UnsafeMutablePointer<OggVorbis_File>, path: String
  ) throws(SoundFileError) -> [AudioFormat] {
    var formats: [AudioFormat] = []
    for link in 0..<Int32(ov_streams(handle)) {
      formats.append(try format(ofLink: link, of: handle, path: path))
    }
    return formats
  }

  private static func format(
    ofLink link: Int32, of handle: UnsafeMutablePointer<OggVorbis_File>, path: String
  ) throws(SoundFileError) -> AudioFormat {
    guard let info = ov_info(handle, link)?.pointee,
      (1...AudioFormat.highestSampleRate).contains(info.rate), (1...8).contains(info.channels)
    else {
      let info = ov_info(handle, link)?.pointee
      throw SoundFileError(
        .absurdHeader, path: path, call: "ov_info",
        cause: "\(info?.rate ?? 0) Hz, \(info?.channels ?? 0) channels")
    }
    return AudioFormat(
      sampleRate: info.rate, layout: .vorbis(channelCount: Int(info.channels)))
  }

  func pictures() throws(SoundFileError) -> [Picture] { try comments?.pictures() ?? [] }

  func seek(to frame: Int64) throws(SoundFileError) {
    if let refusal { throw refusal }
    (pending, failure) = (nil, nil)
    source.allowance = .max
    defer { source.allowance = Self.allowance }
    let target = min(frame, total)
    // In chained files 184 of 1500 seeks landed elsewhere, before and behind the target. The
    // position told afterwards is right, so an earlier start and a shorter way forward are exact.
    var start = target
    var step: Int64 = 4096
    while true {
      let code = ov_pcm_seek(handle, start)
      guard code == 0 else { throw refused(code, by: "ov_pcm_seek") }
      position = Int64(ov_pcm_tell(handle))
      if position <= target { break }
      guard start > 0 else {
        throw SoundFileError(
          .broken, path: path, call: "ov_pcm_seek",
          cause: "a seek to the start reached frame \(position)")
      }
      start = max(0, start - step)
      step *= 4
    }
    if let (link, _) = linkAndPlace(position) {
      format = try Self.format(ofLink: link, of: handle, path: path)
    }
    while position < target {
      let wanted = min(target - position, 4096)
      guard let (_, count) = try decode(limit: Int(wanted)) else { return }
      position += Int64(count)
      pending = nil
    }
  }

  /// The link that holds `frame`, and the frame's place in it.
  private func linkAndPlace(_ frame: Int64) -> (Int32, Int64)? {
    var rest = frame
    for link in 0..<Int32(ov_streams(handle)) {
      let count = Int64(ov_pcm_total(handle, link))
      if rest < count { return (link, rest) }
      rest -= count
    }
    return nil
  }

  /// Some next frames, of `format` as it is afterwards; `nil` at the end.
  private func decode(limit: Int) throws(SoundFileError) -> (Planes, Int)? {
    if let refusal { throw refusal }
    while true {
      var planes: Planes?
      var link: Int32 = 0
      let count = ov_read_float(handle, &planes, Int32(min(limit, 1 << 16)), &link)
      // A hole is damage that the library has stepped over; what follows plays on.
      if count == Int(OV_HOLE) { continue }
      guard count >= 0 else { throw refused(Int32(count), by: "ov_read_float") }
      guard count > 0, let planes else { return nil }
      source.allowance = Self.allowance
      let next = try Self.format(ofLink: link, of: handle, path: path)
      if next != format { format = next }
      return (planes, count)
    }
  }

  func read(into samples: UnsafeMutablePointer<Float>, frames: Int) throws(SoundFileError) -> Int {
    if let failure { throw failure }
    let before = format
    var filled = 0
    if let (planes, count) = pending {
      let taken = min(count, frames)
      interleave(planes, count: taken, into: samples)
      for channel in 0..<format.channelCount { planes[channel]! += taken }
      pending = taken < count ? (planes, count - taken) : nil
      filled = taken
      advance(by: taken)
    }
    while filled < frames {
      let decoded: (Planes, Int)?
      do throws(SoundFileError) {
        decoded = try decode(limit: frames - filled)
        if decoded == nil { try noteEnd() }
      } catch {
        if filled == 0 { throw error }
        failure = error
        break
      }
      guard let (planes, count) = decoded else { break }
      guard format == before else {
        pending = (planes, count)
        break
      }
      interleave(planes, count: count, into: samples + filled * format.channelCount)
      filled += count
      advance(by: count)
    }
    return filled
  }

  private func advance(by count: Int) {
    position += Int64(count)
    // Links that share a serial number are one to the library, whose count is then too small.
    if position > total { frameCount = nil }
  }

  private func interleave(_ planes: Planes, count: Int, into out: UnsafeMutablePointer<Float>) {
    let channels = format.channelCount
    if channels == 2, let left = planes[0], let right = planes[1] {
      for i in 0..<count {
        out[2 * i] = left[i]
        out[2 * i + 1] = right[i]
      }
      return
    }
    for channel in 0..<channels {
      let plane = planes[channel]!
      for i in 0..<count { out[i * channels + channel] = plane[i] }
    }
  }

  private func noteEnd() throws(SoundFileError) {
    if source.failure != 0 {
      throw Self.error(0, call: "ov_read_float", source: source, path: path)
    }
    guard position < total, total != .max else { return }
    // Pages whose checksum is wrong are left out.
    if frameCount != nil { frameCount = position }
    guard truncation == nil else { return }
    truncation = SoundFileError(
      .truncated, path: path, call: "ov_read_float", cause: "\(position) of \(total) frames")
  }

  private func refused(_ code: Int32, by call: String) -> SoundFileError {
    let error = Self.error(code, call: call, source: source, path: path)
    refusal = error
    return error
  }

  private static func error(
    _ code: Int32, call: String, source: ByteSource, path: String
  ) -> SoundFileError {
    if source.failure != 0 {
      return SoundFileError(
        .unreadable, path: path, call: "pread", code: source.failure,
        cause: SystemError(code: source.failure).text)
    }
    let cause =
      switch code {
      case OV_EREAD: "a read from the file failed"
      case OV_ENOTVORBIS: "no Vorbis data"
      case OV_EVERSION: "a Vorbis version that the library does not know"
      case OV_EBADHEADER: "a Vorbis header that makes no sense"
      case OV_EBADLINK: "a damaged link, or one without frames"
      case OV_EFAULT: "an internal fault of the library"
      case OV_EINVAL: "an argument that the library refuses"
      case OV_ENOSEEK: "the file cannot be seeked in"
      default: "code \(code)"
      }
    return SoundFileError(.broken, path: path, call: call, code: code, cause: cause)
  }
}
