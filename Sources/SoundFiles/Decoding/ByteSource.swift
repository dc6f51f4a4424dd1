// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A window on a file with a position in it: what the C decoders read through.
///
/// The window leaves out what a decoder must not see: other links of a chained stream, junk between
/// MP3 frames, a header that lies.
final class ByteSource {
  /// Bytes that the decoder sees.
  var size: Int64 {
    guard runs == nil else { return file.size - leftOut }
    // A file that is elsewhere may turn out to end sooner than it seemed.
    guard tail.isEmpty else { return Int64(head.count) + end - start + Int64(tail.count) }
    let end = file.isRemote ? max(start, min(end, file.size)) : end
    return Int64(head.count) + (linkEnd?.end.map { min($0, end) } ?? end) - start
      + Int64(tail.count)
  }
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
  /// Shown behind the window.
  private let tail: [UInt8]
  /// The end of the link of Ogg that the window begins with, where only reading up to it tells that.
  var linkEnd: OggLinkEnd?
  /// Bytes at the beginning of an MPEG file that are not shown.
  private let leftOut: Int64
  /// Bytes that are still to be shown of a file's last 128.
  ///
  /// libmpg123 looks there for ID3v1 before anything else: they are shown to that one read, and are no part of
  /// what is decoded.
  private var tagLeft = 0
  private static let tagBytes = 128

  /// Shows the bytes of `head`, then those of `window`, and then those of `tail`.
  init(
    file: RegularFile, window: Range<Int64>, after head: [UInt8] = [], before tail: [UInt8] = []
  ) {
    (self.file, self.head, self.tail, runs, leftOut) = (file, head, tail, nil, 0)
    (start, end) = (window.lowerBound, window.upperBound)
  }

  /// Shows what `other` shows, from its start.
  init(again other: ByteSource) {
    (file, head, tail, runs) = (other.file, other.head, other.tail, other.runs)
    linkEnd = other.linkEnd
    (start, end, leftOut) = (other.start, other.end, other.leftOut)
  }

  /// The file as the caller named it, for people.
  var path: String { file.path }

  /// Shows the tags and the frames of an MPEG file.
  ///
  /// `size` is right for what `runs` has found so far, and too large where more is to be left out.
  init(file: RegularFile, runs: MPEGRuns) {
    (self.file, self.runs, head, tail) = (file, runs, [], [])
    (start, end) = (0, file.size)
    leftOut = runs.found.holes.first.map { Int64($0.range.count) } ?? 0
  }

  /// Reads on from `position`.
  ///
  /// - Returns: bytes read, 0 at the end, -1 with `errno` and `failure` set.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    if tagLeft > 0 { return readTag(into: buffer) }
    var done = 0
    let limit = min(buffer.count, allowance)
    if position < head.count {
      done = min(limit, head.count - Int(position))
      buffer.copyBytes(from: head[Int(position)...].prefix(done))
      position += Int64(done)
    }
    if !tail.isEmpty, position >= size - Int64(tail.count) {
      let start = tail.count - Int(max(0, size - position))
      done = min(limit, tail.count - start)
      buffer.copyBytes(from: tail[start...].prefix(done))
      position += Int64(done)
      return done
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
      if let linkEnd {
        // What is there is decoded before more is waited for.
        if done > 0 { break }
        do throws(SoundFileError) {
          runEnd = min(runEnd, try linkEnd.limit(from: place))
        } catch {
          return fail(error.code)
        }
      }
      let wanted = Int(min(runEnd - place, Int64(limit - done)))
      if wanted <= 0 { break }
      let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[done..<done + wanted])
      let count = file.read(at: place, into: piece)
      if count < 0 { return fail(Int32(-count)) }
      if count == 0 { break }
      done += count
      position += Int64(count)
      file.consumed = max(file.consumed, place + Int64(count))
    }
    allowance -= done
    return done
  }

  /// The end of the file; of a file that is shorter than a tag nothing is one.
  private func readTag(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let start = file.size - Int64(tagLeft)
    let count: Int
    // The end of what is elsewhere is not asked for a tag alone. It may become known only now, long before the place
    // that libmpg123 has gone to: with fewer bytes than it wants the library stays there, and finds no frame.
    if start < 0 || file.isRemote {
      count = min(buffer.count, tagLeft)
      buffer.prefix(count).initializeMemory(as: UInt8.self, repeating: 0)
    } else {
      count = file.read(at: start, into: buffer)
    }
    if count < 0 { return fail(Int32(-count)) }
    position += Int64(count)
    tagLeft -= min(count, tagLeft)
    return count
  }

  private func fail(_ code: Int32) -> Int {
    failure = code
    errno = code
    return -1
  }

  /// Place of `position` in the file, and the end of the bytes that follow it there.
  private var location: (place: Int64, end: Int64) {
    runs?.locate(position) ?? (start + position - Int64(head.count), end)
  }

  /// Moves `position`, as `lseek` does.
  ///
  /// - Returns: the new position, or -1 with `errno` set where it would be negative.
  func seek(to offset: Int64, whence: Int32) -> Int64 {
    let isForTag = runs != nil && whence == SEEK_END && offset == -Int64(Self.tagBytes)
    tagLeft = isForTag ? Self.tagBytes : 0
    if isForTag {
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
