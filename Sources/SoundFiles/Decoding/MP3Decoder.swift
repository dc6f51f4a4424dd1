// SPDX-License-Identifier: Apache-2.0

import SampleBuffers

/// MPEG audio by libmpg123.
///
/// libsndfile uses the same library, but cuts files short whose length it has to guess, and seeks
/// without enough frames of history: 314 of 400 seeks in a 22.05 kHz file decoded garbage.
final class MP3Decoder: FrameDecoder {
  private(set) var format: AudioFormat
  let fileFormat: FileFormat
  let metadata: FileMetadata
  private(set) var truncation: SoundFileError?

  private let path: String
  private let handle: MPG123Handle
  private let promise: InfoPromise
  /// Its end comes when all before it has.
  private let isSequential: Bool
  private let surroundings: MPEGTags
  /// Calculated places of frames; nil for a file on a disk, of a varying rate or without ranges.
  private let places: MPEGPlaces?
  /// Set where only reading all of a long file tells its length.
  let lengthSearch: LengthSearch?
  private var position: Int64 = 0
  /// Failure that was met behind frames that were still good.
  private var failure: SoundFileError?

  private enum Length {
    case known(Int64)
    /// Not before the file has been read to its end, here or by the search.
    case open
    /// Frames of two rates have no common count.
    case none
  }

  private var length = Length.open

  /// A file up to so many bytes is read at once for its length, in 12 requests.
  private static let readAtOnce: Int64 = 3 << 17

  init(file: RegularFile, stream: MPEGStream) throws(SoundFileError) {
    path = file.path
    promise = try InfoPromise(of: stream, in: file)
    let isShort = !file.isRemote && file.size - stream.firstFrame <= Self.readAtOnce
    isSequential = file.isSequential
    handle = try MPG123Handle(file: file, stream: stream, promise: promise, scans: isShort)
    format = try handle.format()
    places =
      file.isRemote && !isSequential && promise == .holds
      ? try MPEGPlaces(of: stream, in: file) : nil
    fileFormat = FileFormat(container: .mpeg, encoding: .lossy("MP\(stream.header.layer)"))
    surroundings = MPEGTags(of: file, firstFrame: stream.firstFrame)
    let surroundings = surroundings
    metadata = try file.forDisplay(else: FileMetadata()) { () throws(SoundFileError) in
      try surroundings.metadata()
    }
    guard promise == .holds || isShort else {
      let promise = self.promise
      guard !isSequential else {
        lengthSearch = nil
        return
      }
      lengthSearch = try LengthSearch.of(file) { () throws(SoundFileError) in
        try MPEGSurvey(of: file, stream: stream, promise: promise)
      }
      return
    }
    lengthSearch = nil
    if let count = handle.length {
      guard count != 0 else {
        throw SoundFileError(.empty, path: path, call: "mpg123_length", cause: "no frame")
      }
      length = .known(count)
    }
    noteFault(frames: frameCount ?? 0)
  }

  var frameCount: Int64? {
    switch length {
    case .known(let count): count
    case .open: lengthSearch?.frameCount
    case .none: nil
    }
  }

  var details: StreamDetails {
    StreamDetails(promise == .holds ? .header : .packets, isGapless: promise == .holds)
  }

  func pictures() throws(SoundFileError) -> [Picture] { try surroundings.pictures() }

  /// Says why the frames have no good end; a count that holds tells better where they are cut off.
  private func noteFault(frames: Int64) {
    let isCounted = promise == .holds || promise == .joined
    truncation = handle.fault(frames: frames, isCounted: isCounted) ?? truncation
  }

  func seek(to frame: Int64) throws(SoundFileError) {
    lookAhead(to: frame)
    let target = min(frame, frameCount ?? frame)
    failure = nil
    try leap(to: target)
    position = try handle.seek(to: target)
    if position > target {
      // Damage on the way may carry the library to the end; from the start it finds its way.
      _ = try handle.seek(to: 0)
      position = try handle.seek(to: target)
    }
    guard position <= target else {
      throw SoundFileError(
        .broken, path: path, call: "mpg123_seek", cause: "to frame \(target), reached \(position)")
    }
    if position == target { return }
    // Two channels: a damaged stream may change to them on the way.
    let scratch = FrameStorage(capacity: 4096 * 2)
    while position < target {
      let wanted = Int(min(4096, target - position))
      if try read(into: scratch.samples, frames: wanted) == 0 { break }
    }
  }

  /// Tells the library a place shortly before `frame`, where that can be calculated.
  private func leap(to frame: Int64) throws(SoundFileError) {
    guard let places else { return }
    // The library decodes twelve of them for nothing, and the encoder's delay lies before the first.
    let number = frame / places.framesEach - 16
    guard number > 0, let place = try places.place(of: number) else { return }
    handle.take(number, at: place)
  }

  /// Finds out where a frame is that lies ahead: whoever looks for it next need not read up to it again.
  private func lookAhead(to frame: Int64) {
    guard let lengthSearch, frame > position else { return }
    lengthSearch.run(to: frame)
    lengthSearch.withSurvey(of: MPEGSurvey.self) { survey, _ in survey.lend(to: handle) }
  }

  func read(into samples: UnsafeMutablePointer<Float>, frames: Int) throws(SoundFileError) -> Int {
    if let failure { throw failure }
    var filled = 0
    while filled < frames {
      let rest = UnsafeMutableRawBufferPointer(
        start: samples + filled * format.channelCount,
        count: (frames - filled) * format.bytesPerFrame)
      var bytes = 0
      let result: MPG123Handle.ReadResult
      do throws(SoundFileError) {
        result = try handle.read(into: rest, filled: &bytes)
      } catch {
        if filled == 0 { throw error }
        failure = error
        return filled
      }
      filled += bytes / format.bytesPerFrame
      position += Int64(bytes / format.bytesPerFrame)
      if let expected = frameCount, position > expected { length = .none }
      switch result {
      case .more: continue
      case .newFormat:
        let next = try handle.format()
        if next == format { continue }
        (format, length) = (next, .none)
        return filled
      case .end:
        noteEnd()
        return filled
      }
    }
    return filled
  }

  private func noteEnd() {
    if lengthSearch != nil || isSequential { noteFault(frames: position) }
    if case .open = length, lengthSearch?.frameCount == nil { length = .known(position) }
    guard let expected = frameCount, position < expected else { return }
    truncation = SoundFileError(
      .truncated, path: path, call: "mpg123_read", cause: "\(position) of \(expected) frames")
    length = .known(position)
  }
}
