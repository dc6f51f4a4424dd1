// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A window on a file with a position in it: what the C decoders read through.
///
/// The window leaves out what a decoder must not see: other links of a chained stream, junk between
/// MP3 frames, a header that lies.
final class ByteSource {
  /// Bytes that the decoder sees.
  let size: Int64
  /// The next byte to be read.
  private(set) var position: Int64 = 0
  /// `errno` of the first read that failed, else 0.
  private(set) var failure: Int32 = 0
  /// Bytes that may still be read; then the file seems to end.
  var allowance = Int.max

  private let file: RegularFile
  /// Shown in front of the window.
  private let head: [UInt8]
  private let start: Int64
  private let end: Int64
  private let runs: MPEGRuns?
  /// libmpg123 looks for ID3v1 in the last 128 bytes before anything else: they are shown to that one
  /// read, and are no part of what is decoded.
  private var showsTag = false
  private static let tagBytes = 128

  /// Shows the bytes of `head`, and then those of `window`.
  init(file: RegularFile, window: Range<Int64>, after head: [UInt8] = []) {
    (self.file, self.head, runs) = (file, head, nil)
    (start, end) = (window.lowerBound, window.upperBound)
    size = Int64(head.count) + Int64(window.count)
  }

  /// Shows what `other` shows, from its start.
  init(again other: ByteSource) {
    (file, head, runs) = (other.file, other.head, other.runs)
    (start, end, size) = (other.start, other.end, other.size)
  }

  /// The file as the caller named it, for people.
  var path: String { file.path }

  /// Shows the tags and the frames of an MPEG file.
  ///
  /// `size` is right for what `runs` has found so far, and too large where more is to be left out.
  init(file: RegularFile, runs: MPEGRuns) {
    (self.file, self.runs, head) = (file, runs, [])
    (start, end) = (0, file.size)
    size = file.size - (runs.found.holes.first.map { Int64($0.range.count) } ?? 0)
  }

  /// Reads on from `position`.
  ///
  /// - Returns: bytes read, 0 at the end, -1 with `errno` and `failure` set.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    if showsTag { return readTag(into: buffer) }
    var done = 0
    let limit = min(buffer.count, allowance)
    if position < head.count {
      done = min(limit, head.count - Int(position))
      buffer.copyBytes(from: head[Int(position)...].prefix(done))
      position += Int64(done)
    }
    while done < limit {
      var (place, runEnd) = location
      if let runs {
        do throws(SoundFileError) {
          try runs.extend(to: place + Int64(limit - done))
        } catch {
          return fail(error.code)
        }
        (place, runEnd) = location
      }
      let wanted = Int(min(runEnd - place, Int64(limit - done)))
      if wanted <= 0 { break }
      let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[done..<done + wanted])
      let count = file.read(at: place, into: piece)
      if count < 0 { return fail(Int32(-count)) }
      if count == 0 { break }
      done += count
      position += Int64(count)
    }
    allowance -= done
    return done
  }

  /// The end of the file; of a file that is shorter than a tag nothing is one.
  private func readTag(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let start = file.size - Int64(Self.tagBytes) + position - (size - Int64(Self.tagBytes))
    let count: Int
    if start < 0 {
      count = min(buffer.count, Int(size - position))
      buffer.prefix(count).initializeMemory(as: UInt8.self, repeating: 0)
    } else {
      count = file.read(at: start, into: buffer)
    }
    if count < 0 { return fail(Int32(-count)) }
    position += Int64(count)
    return count
  }

  private func fail(_ code: Int32) -> Int {
    failure = code
    errno = code
    return -1
  }

  /// Where `position` is in the file, and where the bytes that follow it there end.
  private var location: (place: Int64, end: Int64) {
    runs?.locate(position) ?? (start + position - Int64(head.count), end)
  }

  /// Moves `position`, as `lseek` does.
  ///
  /// - Returns: the new position, or -1 with `errno` set where it would be negative.
  func seek(to offset: Int64, whence: Int32) -> Int64 {
    showsTag = runs != nil && whence == SEEK_END && offset == -Int64(Self.tagBytes)
    if showsTag {
      // Negative where the file is shorter, which would be refused, and with it the file.
      position = size + offset
      return max(position, 0)
    }
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
