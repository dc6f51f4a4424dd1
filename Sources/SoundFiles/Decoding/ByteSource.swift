// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A window on a file with a position in it: what the C decoders read through.
///
/// The window leaves out what a decoder must not see: other links of a chained stream, junk before
/// the first MP3 frame, a header that lies. It can have one hole.
final class ByteSource {
  /// Bytes that the decoder sees.
  let size: Int64
  /// The next byte to be read.
  private(set) var position: Int64 = 0
  /// `errno` of the first read that failed, else 0.
  private(set) var failure: Int32 = 0

  private let file: RegularFile
  private let start: Int64
  private let hole: Range<Int64>

  /// Shows the bytes of `window` without those of `hole`, which lies inside it.
  init(file: RegularFile, window: Range<Int64>, hole: Range<Int64>? = nil) {
    self.file = file
    start = window.lowerBound
    self.hole = hole ?? window.upperBound..<window.upperBound
    size = Int64(window.count) - Int64(self.hole.count)
  }

  /// Reads on from `position`.
  ///
  /// - Returns: bytes read, 0 at the end, -1 with `errno` and `failure` set.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    var done = 0
    while done < buffer.count, position < size {
      let beforeHole = hole.lowerBound - start
      let run = position < beforeHole ? beforeHole - position : size - position
      let place = start + position + (position < beforeHole ? 0 : Int64(hole.count))
      let wanted = Int(min(run, Int64(buffer.count - done)))
      let count = file.read(
        at: place, into: UnsafeMutableRawBufferPointer(rebasing: buffer[done..<done + wanted]))
      if count < 0 {
        failure = Int32(-count)
        errno = failure
        return -1
      }
      if count == 0 { break }
      done += count
      position += Int64(count)
    }
    return done
  }

  /// Moves `position`, as `lseek` does.
  ///
  /// - Returns: the new position, or -1 with `errno` set where it would be negative.
  func seek(to offset: Int64, whence: Int32) -> Int64 {
    let base =
      switch whence {
      case SEEK_SET: Int64(0)
      case SEEK_CUR: position
      case SEEK_END: size
      default: Int64.min
      }
    let (target, overflow) = base.addingReportingOverflow(offset)
    guard base >= 0, !overflow, target >= 0 else {
      errno = EINVAL
      return -1
    }
    position = target
    return target
  }

  /// The object behind a C callback's user data.
  static func from(_ pointer: UnsafeMutableRawPointer) -> ByteSource {
    Unmanaged<ByteSource>.fromOpaque(pointer).takeUnretainedValue()
  }

  /// The user data for C callbacks; the owner of the C handle keeps this object alive.
  var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }
}
