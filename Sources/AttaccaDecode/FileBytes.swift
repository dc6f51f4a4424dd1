// SPDX-License-Identifier: Apache-2.0

import CLibAV
import DecodeMessages
import Glibc

/// The bytes of a file for libavformat: of a descriptor, read by position, as whoever passed it has its offset; or asked
/// for.
final class FileBytes {
  private let source: OpenFile.Bytes
  private let shown: ShownFile
  private var position: Int64 = 0
  /// Bytes that are shown; more than there can be where nobody knows how many there are.
  let size: Int64
  private let hasSize: Bool
  /// Bytes read since the limit of the work was set anew.
  private var untold = 0
  private(set) var context: UnsafeMutablePointer<AVIOContext>?
  /// `errno` of a read that failed; 0 where none has.
  private(set) var failure: Int32 = 0

  /// Of what is shown of the file.
  init(_ file: OpenFile) throws(DecodeFailure) {
    (source, hasSize) = (file.bytes, file.shown.window.upperBound < ShownFile.longestFile)
    var window = file.shown.window
    if case .descriptor(let descriptor) = source {
      // Nobody reads by the offset; `fstat` is a call that also tells of other files.
      let all = Int64(lseek(descriptor, 0, SEEK_END))
      guard all >= 0 else {
        throw DecodeFailure(.unreadable, call: "lseek", code: errno, cause: systemText(errno))
      }
      window = window.clamped(to: 0..<all)
    }
    shown = ShownFile(window: window, patches: file.shown.patches)
    size = Int64(window.count)
    // What libavformat asks for at once: of a disk 5 ms away 32 kB are 2 s of AAC.
    let capacity: Int32 = 1 << 15
    guard let buffer = av_malloc(Int(capacity)) else { throw .noMemory("av_malloc") }
    context = avio_alloc_context(
      buffer.assumingMemoryBound(to: UInt8.self), capacity, 0,
      Unmanaged.passUnretained(self).toOpaque(), Self.read, nil, Self.seek)
    guard context != nil else {
      av_free(buffer)
      throw .noMemory("avio_alloc_context")
    }
    if !file.isSeekable { context?.pointee.seekable = 0 }
  }

  deinit {
    if let buffer = context?.pointee.buffer { av_free(buffer) }
    avio_context_free(&context)
  }

  private static let read:
    @convention(c) (
      UnsafeMutableRawPointer?, UnsafeMutablePointer<UInt8>?, Int32
    ) -> Int32 = { owner, buffer, count in
      let bytes = Unmanaged<FileBytes>.fromOpaque(owner!).takeUnretainedValue()
      let place = bytes.shown.window.lowerBound &+ bytes.position
      let wanted = min(Int64(count), max(0, bytes.size &- bytes.position))
      let read = bytes.fill(
        UnsafeMutableRawBufferPointer(start: buffer, count: Int(wanted)), at: place)
      guard read >= 0 else {
        bytes.failure = Int32(-read)
        return attacca_input_error
      }
      guard read > 0 else { return attacca_end_of_file }
      bytes.patch(buffer, read, at: place)
      bytes.position += Int64(read)
      bytes.untold += read
      if bytes.untold >= 1 << 22 {
        // What lies between two packets may be gigabytes of video: as long as it passes, nothing hangs.
        bytes.untold = 0
        Work.begins()
      }
      return Int32(read)
    }

  /// - Returns: bytes read, 0 at the end; or the negated `errno` of a failure.
  private func fill(_ buffer: UnsafeMutableRawBufferPointer, at place: Int64) -> Int {
    guard !buffer.isEmpty else { return 0 }
    guard place >= 0 else { return -Int(EINVAL) }
    switch source {
    case .asked(let socket): return socket.bytes(at: place, into: buffer)
    case .descriptor(let descriptor):
      while true {
        let read = pread(descriptor, buffer.baseAddress, buffer.count, off_t(place))
        if read >= 0 { return read }
        if errno != EINTR { return -Int(errno) }
      }
    }
  }

  /// Puts what is shown in the place of the file's bytes.
  private func patch(_ buffer: UnsafeMutablePointer<UInt8>?, _ count: Int, at place: Int64) {
    guard let buffer else { return }
    for patch in shown.patches {
      for (i, byte) in patch.bytes.enumerated() {
        let index = patch.offset + Int64(i) - place
        if (0..<Int64(count)).contains(index) { buffer[Int(index)] = byte }
      }
    }
  }

  private static let seek: @convention(c) (UnsafeMutableRawPointer?, Int64, Int32) -> Int64 = {
    owner, offset, whence in
    let bytes = Unmanaged<FileBytes>.fromOpaque(owner!).takeUnretainedValue()
    switch whence & ~AVSEEK_FORCE {
    case AVSEEK_SIZE: return bytes.hasSize ? bytes.size : Int64(attacca_not_known)
    case SEEK_CUR: bytes.position += offset
    case SEEK_END where !bytes.hasSize: return Int64(attacca_not_known)
    case SEEK_END: bytes.position = bytes.size + offset
    default: bytes.position = offset
    }
    return bytes.position
  }
}
