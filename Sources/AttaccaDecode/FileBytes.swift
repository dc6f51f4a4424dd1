// SPDX-License-Identifier: Apache-2.0

import CLibAV
import DecodeMessages
import Glibc

/// The bytes of an open file for libavformat, read by position: whoever passed the descriptor has its offset.
final class FileBytes {
  private let descriptor: Int32
  private let shown: ShownFile
  private var position: Int64 = 0
  let size: Int64
  /// Bytes read since the limit of the work was set anew.
  private var untold = 0
  private(set) var context: UnsafeMutablePointer<AVIOContext>?
  /// `errno` of a read that failed; 0 where none has.
  private(set) var failure: Int32 = 0

  /// Of what is shown of the file.
  init(_ file: OpenFile) throws(DecodeFailure) {
    descriptor = file.descriptor
    // Nobody reads by the offset; `fstat` is a call that also tells of other files.
    let all = Int64(lseek(descriptor, 0, SEEK_END))
    shown = ShownFile(
      window: file.shown.window.clamped(to: 0..<max(0, all)), patches: file.shown.patches)
    size = Int64(shown.window.count)
    guard all >= 0 else {
      throw DecodeFailure(.unreadable, call: "lseek", code: errno, cause: systemText(errno))
    }
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
      while true {
        let place = bytes.shown.window.lowerBound &+ bytes.position
        let wanted = min(Int64(count), max(0, bytes.size &- bytes.position))
        let read = wanted > 0 ? pread(bytes.descriptor, buffer, Int(wanted), off_t(place)) : 0
        if read > 0 {
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
        if read == 0 { return attacca_end_of_file }
        if errno == EINTR { continue }
        bytes.failure = errno
        return attacca_input_error
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
    case AVSEEK_SIZE: return bytes.size
    case SEEK_CUR: bytes.position += offset
    case SEEK_END: bytes.position = bytes.size + offset
    default: bytes.position = offset
    }
    return bytes.position
  }
}
