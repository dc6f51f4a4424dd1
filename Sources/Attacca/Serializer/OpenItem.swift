// SPDX-License-Identifier: Apache-2.0

import MediaTime
import SampleBuffers
import SoundFiles

/// An item whose file is open, and how far it has been read.
final class OpenItem: @unchecked Sendable {
  // @unchecked: handed back and forth between the serialization queue and one decoder thread; only
  // the one that has it touches it. What hangs is never touched by the queue again.
  let item: PlaylistItem
  let passage: Passage
  /// When its first frame is heard if all of it is: offset zero, or its end if it is reversed.
  let start: RationalTime
  /// When the first frame played of it is heard.
  private let begin: RationalTime
  let source: any FrameSource
  /// Exact time after the frames read so far, from `start` on.
  private var read: RationalTime
  /// Frames up to where the passage ends; nil for the item's end.
  private var framesLeft: Int64?
  /// Frames before the first heard one, to be read as history for the converter.
  private var history = 0

  /// Frames of history that a converter restarted in the middle of an item is given: with 1,024 the
  /// result is the uninterrupted one but for the last bit of one sample in 164,000 (44.1 to 48 kHz), up to 2,048 more may go into finding
  /// a whole frame of the device to begin on.
  static let history = 3_072

  /// Goes to where `passage` begins in `item`'s source, which has just been opened, or further on if
  /// `place` says so.
  init(
    _ item: PlaylistItem, _ passage: Passage, at place: DecodeStep.Place,
    source file: any FrameSource
  ) throws {
    (self.item, self.passage) = (item, passage)
    // Backwards it begins with its end.
    if passage.isReversed, file.frameCount == nil { file.lengthSearch?.run() }
    source = passage.isReversed ? try ReversedSource(file, path: item.path) : file
    let rate = source.format.sampleRate
    Self.findLength(of: source, passage, place)
    let duration = source.frameCount.map { RationalTime(frames: $0, rate: rate) }
    let from = passage.progress(at: passage.from, of: duration)
    let offset =
      switch place {
      case .offsetZero(_, let offset): offset
      case .mirrored(_, let offset): passage.progress(at: offset, of: duration)
      case .firstFrame: from
      }
    let length = source.frameCount ?? .max
    let frame = min(max(0, offset.frames(at: rate)), length)
    let first = min(from.frames(at: rate), length)
    read = RationalTime(frames: frame, rate: rate)
    switch place {
    case .offsetZero(let time, _): start = time
    case .mirrored(let zero, _): start = .zero - (zero + (duration ?? .zero))
    case .firstFrame(let time): start = time - read
    }
    begin = start + RationalTime(frames: first, rate: rate)
    framesLeft = passage.to.map {
      max(0, passage.progress(at: $0, of: duration).frames(at: rate) - frame)
    }
    guard frame > 0 else { return }
    history = Int(min(frame, Int64(Self.history)))
    try source.seek(to: frame - Int64(history))
  }

  /// Has a file whose length is not known be searched up to where it is begun: its end may come before.
  private static func findLength(
    of source: any FrameSource, _ passage: Passage, _ place: DecodeStep.Place
  ) {
    guard source.frameCount == nil, let search = source.lengthSearch else { return }
    let offset =
      switch place {
      case .offsetZero(_, let offset), .mirrored(_, let offset): offset
      case .firstFrame: passage.from
      }
    let frame = offset.frames(at: source.format.sampleRate)
    if frame > 0 { search.run(to: frame) }
  }

  /// What finds out how long the item is, where nothing else has; constant.
  var lengthSearch: LengthSearch? { source.lengthSearch }

  var span: ItemSpan {
    let rate = source.format.sampleRate
    return ItemSpan(
      item: item, passage: passage, lineStart: start, begin: begin,
      duration: source.frameCount.map { RationalTime(frames: $0, rate: rate) },
      tags: item.tags ?? source.tags, end: nil, sampleRate: rate, gain: item.gain)
  }

  /// The time after what has been read.
  var end: RationalTime { start + read }
  var truncation: SoundFileError? { source.truncation }

  /// The next buffer, about `duration` long; nil at the end of the item.
  func next(duration: RationalTime) throws -> SampleBuffer? {
    while true {
      let rate = source.format.sampleRate
      var heard = max(1, Int(duration.frames(at: rate)))
      if let framesLeft { heard = Int(min(Int64(heard), framesLeft)) }
      guard heard > 0 else { return nil }
      let frames = heard + history
      guard let chunk = try source.read(frames: frames) else { return nil }
      let trim = min(history, chunk.frameCount)
      history -= trim
      // A file that ends within its history has nothing to be heard.
      if trim == chunk.frameCount && trim > 0 { continue }
      let buffer = SampleBuffer(
        storage: chunk.storage, format: chunk.format, frameCount: chunk.frameCount, time: end,
        trimAtStart: trim)
      framesLeft = framesLeft.map { $0 - Int64(buffer.heardFrameCount) }
      read =
        read
        + RationalTime(frames: Int64(buffer.heardFrameCount), rate: chunk.format.sampleRate)
      return buffer
    }
  }
}
