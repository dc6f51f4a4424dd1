// SPDX-License-Identifier: Apache-2.0

import Attacca
import Glibc
import SampleBuffers
import SoundFiles

/// Decodes the parts of a stream of segments one behind the other, on the thread of one reader.
final class HLSDecoding {
  private let source: HTTPSource
  private let handover: FrameHandover
  private let parts: HLSParts
  private let pool = FramePool()
  private var opened: (file: SoundFile, bytes: HLSBytes)?
  /// Of the part that is decoded, and the frames in front of it.
  private var (number, base) = (0, Int64(0))
  /// The next frame that is decoded, and the first that is wanted.
  private var (position, wanted) = (Int64(0), Int64(0))
  private var format: AudioFormat?
  private var hasOneFormat = true
  private var frameCount: Int64?
  /// Timed tags that were told last; nil for those of the file alone.
  private var told: TimedTags?
  /// True behind a seek, until it is told what is true there.
  private var hasSought = false
  private static let step = 4_608

  /// `first` is the playlist that `source` is.
  init(
    _ source: HTTPSource, _ first: HLSLoad, _ handover: FrameHandover, _ wake: NetworkFrames.Wake
  ) throws(SoundFileError) {
    (self.source, self.handover) = (source, handover)
    let session = try HLSSession(first, source.options, handover, wake)
    parts = HLSParts(
      session, name: source.name, limit: source.options.spoolLimit, source.standing)
  }

  /// Tells whether an answer is a playlist.
  static func takes(_ bytes: DownloadBytes) -> Bool {
    var head = [UInt8](repeating: 0, count: 16)
    let count = head.withUnsafeMutableBytes { bytes.read(at: 0, into: $0) }
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let start = head.starts(with: mark) ? head.dropFirst(3) : head[...]
    return count >= 7 && start.starts(with: "#EXTM3U".utf8)
  }

  /// The first part as a file, for who looks at it.
  func soundFile() throws(SoundFileError) -> SoundFile {
    guard let (file, _) = try open() else { throw empty }
    return file
  }

  private var empty: SoundFileError {
    SoundFileError(.empty, path: source.name, call: "HLS", cause: "no segment in it")
  }

  /// Opens the part that comes next; nil at the end.
  private func open() throws(SoundFileError) -> (file: SoundFile, bytes: HLSBytes)? {
    if let opened { return opened }
    guard let part = try parts.part(number) else { return nil }
    let bytes = HLSBytes(parts, part, number, for: handover)
    do throws(SoundFileError) {
      opened = (try SoundFile(bytes, name: source.name, pool: pool), bytes)
    } catch {
      throw bytes.failure ?? error
    }
    position = base - part.leadCount
    return opened
  }

  /// Decodes until nobody reads any more.
  func run() throws(SoundFileError) {
    guard let (file, _) = try open() else { throw empty }
    format = file.format
    handover.open(.success(description(of: file)))
    while true {
      let task = handover.nextTask()
      switch task {
      case .end: return
      case .rest: continue
      case .seek(let frame, _): if !parts.session.isLive { seek(to: frame) }
      case .decode(let turn):
        do throws(SoundFileError) {
          if handover.takeLeap() { try leap() }
          try decode(turn)
        } catch {
          let isUnwanted = opened?.bytes.wasInterrupted ?? (error.code == ECANCELED)
          let failure = opened?.bytes.failure ?? error
          opened = nil
          // Another task is what comes next.
          if !isUnwanted || !handover.isInterrupted { handover.end(failure, turn: turn) }
        }
      }
    }
  }

  private func leap() throws(SoundFileError) {
    guard parts.session.isLive else { return }
    try parts.session.goLive()
    // The present part ends with what is there of it.
    number = parts.dropped + parts.parts.count
    (opened, base, wanted) = (nil, position, position)
  }

  /// Begins with the part that `frame` is in, as far as parts have been decoded to their ends.
  private func seek(to frame: Int64) {
    (wanted, hasSought) = (frame, true)
    if opened != nil, opened?.bytes.wasInterrupted == false, frame >= position { return }
    if parts.hasForgotten { parts.startAnew() }
    (opened, number, base) = (nil, 0, 0)
    for part in parts.parts {
      guard let count = part.frameCount, base + count <= frame else { break }
      (number, base) = (number + 1, base + count)
    }
    position = base
  }

  private func decode(_ turn: Int) throws(SoundFileError) {
    guard let (file, bytes) = try open() else {
      if hasOneFormat { frameCount = position }
      if let known = handover.known {
        var last = known
        last.frameCount = frameCount
        handover.update(last)
      }
      return handover.end(nil, turn: turn)
    }
    let missing = max(wanted, base) - position
    let most = missing > 0 ? min(Int64(Self.step), missing) : Int64(Self.step)
    let chunk = try file.read(frames: Int(most))
    guard !bytes.wasInterrupted else {
      opened = nil
      return
    }
    guard let chunk else {
      try parts.part(number)?.frameCount = position - base
      (opened, number, base) = (nil, number + 1, position)
      parts.forget(before: 0, of: number)
      return
    }
    hasOneFormat = hasOneFormat && chunk.format == format
    if missing <= 0 {
      try put(chunk, of: file, turn)
    } else {
      handover.update(description(of: file))
    }
    position += Int64(chunk.frameCount)
  }

  /// Hands a chunk over, in pieces where other tags are true of a part of it.
  private func put(_ chunk: Chunk, of file: SoundFile, _ turn: Int) throws(SoundFileError) {
    var done = 0
    while done < chunk.frameCount {
      // Known by now: a tag comes with its segment, which is there before its frames are.
      let tags = try parts.part(number)?.tags.around(
        frame: position - base + Int64(done), rate: chunk.format.sampleRate)
      let end = tags?.next.map { $0 - (position - base) } ?? .max
      let change = change(to: tags?.present, file.tags)
      handover.update(description(of: file))
      let last = Int(min(Int64(chunk.frameCount), end))
      handover.put(chunk, done..<last, change, turn: turn)
      done = last
    }
  }

  /// The tags that are to be told, as `present` is what is true now; nil for none.
  private func change(to present: TimedTags?, _ ofFile: Tags) -> Tags? {
    // A part that has none yet goes on with those of the part before.
    guard present != nil || hasSought else { return nil }
    defer { (told, hasSought) = (present, false) }
    // What is sent again is no change.
    return present?.tags == told?.tags ? nil : present?.over(ofFile) ?? ofFile
  }

  private func description(of file: SoundFile) -> FrameHandover.Opened {
    FrameHandover.Opened(
      format: file.format, frameCount: frameCount, tags: told?.over(file.tags) ?? file.tags,
      truncation: file.truncation)
  }
}
