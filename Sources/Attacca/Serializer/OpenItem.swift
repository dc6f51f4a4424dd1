// SPDX-License-Identifier: Apache-2.0

import MediaTime
import SampleBuffers
import SoundFiles

/// An item whose file is open, and how far it has been read.
final class OpenItem: @unchecked Sendable {
  // @unchecked: handed back and forth between the serialization queue and one decoder thread; only
  // the one that has it touches it. What hangs is never touched by the queue again.
  let item: PlaylistItem
  let range: PlayedRange
  /// Time at which its first frame is heard if all of it is: offset zero, or its end if it is reversed.
  let start: RationalTime
  /// Time at which the first frame played of it is heard.
  private let begin: RationalTime
  /// Its frames in the direction in which it is played.
  private(set) var source: any FrameSource
  /// End of it, once that is decided.
  var tail: Tail?
  /// The place in the item behind the frames read so far, in the direction of playing.
  var read: RationalTime
  /// The place in the item behind the frames handed on so far; some that have been read are held back where silences
  /// are shortened.
  var shown: RationalTime
  /// What is left out of the item, as far as that is known.
  var skips: SkippedParts
  /// The part of `skips` that nobody has been told yet.
  var newSkips: [SkippedParts.Part] = []
  /// Shortens silences; nil where none are to be.
  private(set) var skipper: SilenceSkipper?
  /// Frames in front of the first heard one that a skipper has handed on, as history for the converter.
  var past: [Float] = []
  /// From this place on they are.
  var pastBegin = RationalTime.zero
  /// The end of what can be read, once a skipper has been told of it.
  var ending = Ending.open
  /// Changes of tags that have been read and are not handed on yet.
  var tagChanges: [TagChange] = []
  /// Frames up to where the range ends; nil for the item's end.
  var framesLeft: Int64?
  /// Frames before the first heard one, to be read as history for the converter.
  private var history = 0

  /// So much of a silence is read again at most.
  private static let longestSilence = RationalTime(frames: 30, rate: 1)

  /// Frames of history that a converter restarted in the middle of an item is given: with 1,024 the
  /// result is the uninterrupted one but for the last bit of one sample in 164,000 (44.1 to 48 kHz), up to 2,048 more may go into finding
  /// a whole frame of the device to begin on.
  static let history = 3_072

  /// Goes to where `range` begins in `item`'s source, which has just been opened, or further on if
  /// `place` says so.
  ///
  /// It ends as `tail` says, if that is given; `open` opens the items that it overlaps. `skips` are left out before
  /// that, and silences are shortened as `silence` says.
  init(
    _ item: PlaylistItem, _ range: PlayedRange, at place: DecodeStep.Place,
    source file: any FrameSource, tail: Tail? = nil, skips: SkippedParts = SkippedParts(),
    silence: SilenceSkipping? = nil, open: @escaping (PlaylistItem) throws -> any FrameSource
  ) throws {
    (self.item, self.range, self.tail, self.skips) = (item, range, tail, skips)
    let directed = try Self.directed(file, item, isReversed: range.isReversed)
    let gap = Self.gap(of: range, directed)
    source = Self.gapped(directed, gap, isReversed: range.isReversed)
    let rate = source.format.sampleRate
    Self.findLength(of: source, range, place)
    let duration = source.frameCount.map { RationalTime(frames: $0, rate: rate) }
    let lead = RationalTime(frames: range.entry?.entering.frames ?? 0, rate: rate)
    let from = range.progress(at: range.from, of: duration)
    let offset =
      switch place {
      case .offsetZero(_, let offset): offset
      case .mirrored(_, let offset): range.progress(at: offset, of: duration)
      case .firstFrame: from + lead
      }
    // Silence in front of it, in the direction of playing, and behind it.
    let (ahead, behind) = range.isReversed ? (0, gap) : (gap, 0)
    let length = source.frameCount.map { $0 + behind } ?? .max
    let frame = min(max(-ahead, offset.frames(at: rate)), length)
    let first = min(max(-ahead, (from + lead).frames(at: rate)), length)
    read = RationalTime(frames: frame, rate: rate)
    shown = read
    switch place {
    case .offsetZero(let time, _): start = time
    case .mirrored(let zero, _): start = .zero - (zero + (duration ?? .zero))
    case .firstFrame(let time): start = time - read
    }
    begin = start + RationalTime(frames: first, rate: rate)
    framesLeft = range.to.map {
      max(0, range.progress(at: $0, of: duration).frames(at: rate) - frame)
    }
    if let silence {
      try shorten(silence, from: frame, ahead: ahead, length: behind > 0 ? length - behind : .max)
    } else if frame > -ahead {
      history = Int(min(frame + ahead, Int64(Self.history)))
      try source.seek(to: frame - Int64(history))
    }
    if let entry = range.entry {
      let side = entry.transition.leaving
      crossfaded().enter(
        OverlapMix(entry, isExit: false, layout: source.format.layout) {
          try Self.directed(try open(side.item), side.item, isReversed: range.isReversed)
        })
    }
    if let overlap = tail?.overlap {
      let side = overlap.transition.entering
      leave(overlap) {
        try Self.directed(try open(side.item), side.item, isReversed: range.isReversed)
      }
    }
  }

  /// Frames of the silence that is played with an item of `source`: none with one that has no frame.
  private static func gap(of range: PlayedRange, _ source: any FrameSource) -> Int64 {
    source.frameCount == 0 ? 0 : range.gap.frames(at: source.format.sampleRate)
  }

  /// Has silences shortened from frame `first` on, behind `ahead` frames of a gap and up to frame `length`.
  private func shorten(
    _ silence: SilenceSkipping, from first: Int64, ahead: Int64, length: Int64
  ) throws {
    let rate = source.format.sampleRate
    func time(_ frame: Int64) -> RationalTime { RationalTime(frames: frame, rate: rate) }
    // Where nothing is known it is begun here: a seek leads to the frame that was asked for.
    var begin = shown
    pastBegin = shown
    if first > -ahead {
      pastBegin = skips.place(at: skips.line(of: shown) - time(Int64(Self.history)))
      pastBegin = max(pastBegin, time(-ahead))
      // What has been made of a silence is found again from its beginning only.
      if let known = skips.firstSilence(from: pastBegin, to: shown),
        shown - known < Self.longestSilence
      {
        begin = known
      }
      read = min(pastBegin, begin)
      framesLeft = framesLeft.map { $0 + first - nextFrame }
      try source.seek(to: nextFrame)
    }
    skips.openSilence = nil
    begin = max(begin, time(entryEnd))
    let end = tail?.overlap.map { time(decision($0.transition, in: $0.leaving.length)) }
    skipper = SilenceSkipper(
      silence, format: source.format, at: read,
      within: begin..<max(begin, end ?? min(time(min(length, 1 << 44)), PlayedRange.end)))
  }

  private static func gapped(
    _ source: any FrameSource, _ gap: Int64, isReversed: Bool
  ) -> any FrameSource {
    guard gap > 0 else { return source }
    guard isReversed, let length = source.frameCount else {
      return GappedSource(source, behind: gap)
    }
    return GappedSource(source, of: length, before: gap)
  }

  /// The first frame that has not been read yet, in the direction of playing.
  var nextFrame: Int64 { read.frames(at: source.format.sampleRate) }

  /// Has its frames be mixed with others' from here on.
  private func crossfaded() -> CrossfadedSource {
    if let source = source as? CrossfadedSource { return source }
    let new = CrossfadedSource(source, at: nextFrame - Int64(history))
    source = new
    return new
  }

  /// Has it end in `overlap`, with the item that `open` opens.
  func leave(_ overlap: Overlap, open: @escaping () throws -> any FrameSource) {
    crossfaded().leave(
      OverlapMix(overlap, isExit: true, layout: source.format.layout, open: open))
    framesLeft = max(0, overlap.leaving.length - overlap.leaving.frames - nextFrame)
  }

  /// Has a file whose length is not known be searched up to where it is begun: its end may come before.
  private static func findLength(
    of source: any FrameSource, _ range: PlayedRange, _ place: DecodeStep.Place
  ) {
    guard source.frameCount == nil, let search = source.lengthSearch else { return }
    let offset =
      switch place {
      case .offsetZero(_, let offset), .mirrored(_, let offset): offset
      case .firstFrame: range.from
      }
    let frame = offset.frames(at: source.format.sampleRate)
    if frame > 0 { search.run(to: frame) }
  }

  /// Search for the item's length, where nothing else tells it; constant.
  var lengthSearch: LengthSearch? { source.lengthSearch }

  private lazy var chapters = ChapterMap(source.chapters, rate: source.format.sampleRate)

  var span: ItemSpan {
    let rate = source.format.sampleRate
    return ItemSpan(
      item: item, range: range, lineStart: start, skips: skips, begin: begin,
      duration: source.frameCount.map { RationalTime(frames: $0, rate: rate) },
      chapterMap: chapters, tags: item.tags ?? source.tags, end: nil, sampleRate: rate,
      gain: item.gain)
  }

  /// The time after what has been handed on.
  var end: RationalTime { start + skips.line(of: shown) }
  var truncation: SoundFileError? { source.truncation }

  /// Returns what the source has said of itself since this was asked last, and when that is heard.
  func takeTagChanges() -> [(time: RationalTime, tags: Tags)] {
    // The item's own tags hide the source's.
    tagChanges += item.tags == nil ? source.takeTagChanges() : []
    let rate = source.format.sampleRate
    let told = tagChanges.prefix { RationalTime(frames: $0.frame, rate: rate) < shown }
    tagChanges.removeFirst(told.count)
    return told.map {
      (start + skips.line(of: RationalTime(frames: $0.frame, rate: rate)), $0.tags)
    }
  }

  /// The next buffer, about `duration` long and of at most so many frames.
  func next(duration: RationalTime, atMost most: Int64? = nil) throws -> Next {
    if let skipper { return try next(of: skipper, duration: duration, atMost: most) }
    while true {
      guard let wanted = try framesToRead(duration, atMost: most) else { return .end }
      guard let chunk = try source.read(frames: wanted + history) else { return .end }
      let trim = min(history, chunk.frameCount)
      history -= trim
      // A file that ends within its history has nothing to be heard.
      if trim == chunk.frameCount && trim > 0 { continue }
      let buffer = SampleBuffer(
        storage: chunk.storage, format: chunk.format, frameCount: chunk.frameCount, time: end,
        trimAtStart: trim)
      advance(by: buffer.heardFrameCount, rate: chunk.format.sampleRate)
      shown = read
      return .buffer(buffer)
    }
  }

  /// Frames of a read of about `duration`, 1 or more; nil behind the last one of the range.
  func framesToRead(_ duration: RationalTime, atMost most: Int64?) throws -> Int? {
    var wanted = max(1, Int(duration.frames(at: source.format.sampleRate)))
    if let most { wanted = Int(min(Int64(wanted), most)) }
    if let framesLeft { wanted = Int(min(Int64(wanted), framesLeft)) }
    // Silence was in place of its last frames.
    if framesLeft == 0, let failure = (source as? CrossfadedSource)?.failure { throw failure }
    return wanted > 0 ? wanted : nil
  }

  /// So many frames have been read.
  func advance(by frames: Int, rate: Int) {
    framesLeft = framesLeft.map { $0 - Int64(frames) }
    read = read + RationalTime(frames: Int64(frames), rate: rate)
  }
}
