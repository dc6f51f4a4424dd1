// SPDX-License-Identifier: Apache-2.0

import MediaTime
import SampleBuffers

/// The frames that a device has been given and that have not been told as heard, with their media time.
///
/// A pure state machine, called with the output's lock held. What the device is given a second time
/// replaces what was recorded from there on, as it does in the device.
struct TapRecorder: ~Copyable {
  /// Frames that follow each other in the stream and in media time.
  struct Stretch: Equatable {
    var frames: Range<StreamFrame>
    /// Place of `frames.lowerBound` on the timeline, as `RenderMap.Piece` counts.
    var piece: RenderMap.Piece

    /// The exact media time of the first frame.
    var time: RationalTime {
      let media = piece.media(at: frames.lowerBound)
      return RationalTime(
        frames: piece.isReversed ? -media.number : media.number, rate: piece.rate)
    }
  }

  let channelCount: Int
  private let capacity: Int
  // Frame f of the stream is at `f % capacity`. Owned: freed in `deinit`, never handed out.
  private let samples: UnsafeMutablePointer<Float>
  private var stretches: [Stretch] = []
  // Up to `reach` frames that the last rewrite took the place of, from `replacedBegin` on: it may come too
  // late for them. Owned as `samples`.
  private let replaced: UnsafeMutablePointer<Float>
  private var replacedBegin: StreamFrame = 0
  private var replacedStretches: [Stretch] = []
  private let reach: Int
  /// The first frame that has not been told.
  private var first = StreamFrame.min

  /// As many stretches as a map has pieces, and those that wait to be told.
  private static let stretchLimit = 64

  /// A recorder that holds up to `capacity` frames, and of those that a rewrite replaces the first `reach`.
  init(channelCount: Int, capacity: Int, reach: Int) {
    (self.channelCount, self.capacity, self.reach) = (channelCount, capacity, reach)
    samples = .allocate(capacity: channelCount * capacity)
    replaced = .allocate(capacity: channelCount * reach)
    stretches.reserveCapacity(Self.stretchLimit)
    replacedStretches.reserveCapacity(Self.stretchLimit)
  }

  deinit {
    samples.deallocate()
    replaced.deallocate()
  }

  var isEmpty: Bool { stretches.isEmpty }

  /// The device is given frames `range` of `line`; does not allocate.
  mutating func record(_ range: Range<StreamFrame>, of line: borrowing RenderLine) {
    let range = take(range) { line.render(from: $1, frames: $2, into: $0) }
    var at = range.lowerBound
    while at < range.upperBound {
      let end = min(line.end(ofPieceAt: at) ?? .max, range.upperBound)
      add(Stretch(frames: at..<end, piece: line.piece(at: at)))
      at = end
    }
  }

  /// The device is given frames `range`, which `render` makes, whose media time is that of `piece`.
  mutating func record(
    _ range: Range<StreamFrame>, piece: RenderMap.Piece,
    render: (UnsafeMutablePointer<Float>, StreamFrame, Int) -> Void
  ) {
    let range = take(range, render)
    if !range.isEmpty { add(Stretch(frames: range, piece: piece)) }
  }

  /// Takes the samples of `range` in the place of all from there on; the frames that fit.
  private mutating func take(
    _ range: Range<StreamFrame>, _ render: (UnsafeMutablePointer<Float>, StreamFrame, Int) -> Void
  ) -> Range<StreamFrame> {
    replace(from: range.lowerBound)
    // What does not fit is what has been heard first, and nobody has asked for in time.
    let range = max(range.lowerBound, range.upperBound - Int64(capacity))..<range.upperBound
    forget(before: range.upperBound - Int64(capacity))
    var at = range.lowerBound
    while at < range.upperBound {
      let slot = slot(of: at)
      let run = min(Int(range.upperBound - at), capacity - slot)
      render(samples + slot * channelCount, at, run)
      at += Int64(run)
    }
    return range
  }

  private func slot(of frame: StreamFrame) -> Int {
    let slot = Int(frame.number % Int64(capacity))
    return slot < 0 ? slot + capacity : slot
  }

  private mutating func add(_ stretch: Stretch) {
    if let last = stretches.last, last.piece == stretch.piece,
      last.frames.upperBound == stretch.frames.lowerBound
    {
      stretches[stretches.count - 1].frames = last.frames.lowerBound..<stretch.frames.upperBound
      return
    }
    if stretches.count == Self.stretchLimit { stretches.removeFirst() }
    stretches.append(stretch)
  }

  /// Replaces what was recorded from `frame` on, unless it turns out to be too late.
  private mutating func replace(from frame: StreamFrame) {
    guard let last = stretches.last, last.frames.upperBound > frame else { return }
    // One verdict is for all rewrites before it: what the first of them replaced is heard where that was late. Behind
    // an effect with latency each write replaces the last frames of the one before.
    if let pending = replacedStretches.last, pending.frames.upperBound > first,
      frame >= replacedBegin
    {
      return cut(at: frame)
    }
    let end = min(last.frames.upperBound, frame + Int64(reach))
    replacedBegin = frame
    replacedStretches.removeAll(keepingCapacity: true)
    for stretch in stretches where stretch.frames.overlaps(frame..<end) {
      var kept = stretch
      kept.frames = stretch.frames.clamped(to: frame..<end)
      replacedStretches.append(kept)
    }
    copy(frame..<end, into: replaced)
    cut(at: frame)
  }

  /// The last rewrite reached the device when that had taken all frames before `read`: what they replaced
  /// was heard.
  mutating func wasLate(upTo read: StreamFrame) {
    defer { wasInTime() }
    guard let first = replacedStretches.first else { return }
    let begin = max(first.frames.lowerBound, replacedBegin)
    let end = min(read, replacedStretches.last!.frames.upperBound)
    guard begin < end else { return }
    let later = stretches.filter { $0.frames.upperBound > end }
    cut(at: begin)
    for stretch in replacedStretches where stretch.frames.lowerBound < end {
      var kept = stretch
      kept.frames = stretch.frames.clamped(to: begin..<end)
      add(kept)
    }
    for frame in begin..<end {
      (samples + slot(of: frame) * channelCount).update(
        from: replaced + Int(frame - replacedBegin) * channelCount, count: channelCount)
    }
    for stretch in later {
      var kept = stretch
      kept.frames = stretch.frames.clamped(to: end..<stretch.frames.upperBound)
      add(kept)
    }
  }

  /// The last rewrite was there in time: nothing that it replaced was heard.
  mutating func wasInTime() { replacedStretches.removeAll(keepingCapacity: true) }

  /// Nothing that the device was given from `frame` on is heard.
  mutating func cut(at frame: StreamFrame) {
    while let last = stretches.last, last.frames.upperBound > frame {
      if last.frames.lowerBound >= frame {
        stretches.removeLast()
      } else {
        stretches[stretches.count - 1].frames = last.frames.lowerBound..<frame
      }
    }
  }

  private mutating func forget(before frame: StreamFrame) {
    while let stretch = stretches.first, stretch.frames.lowerBound < frame {
      if stretch.frames.upperBound <= frame {
        stretches.removeFirst()
      } else {
        stretches[0].frames = frame..<stretch.frames.upperBound
      }
    }
  }

  /// Takes the frames that come first and were heard before `heard`, at most `limit` of one stretch.
  ///
  /// - Returns: nil where there are none.
  mutating func take(before heard: StreamFrame, atMost limit: Int) -> (Stretch, FrameStorage)? {
    // A device that begins anew may be given again what was told.
    forget(before: first)
    guard var stretch = stretches.first, stretch.frames.lowerBound < heard else { return nil }
    let begin = stretch.frames.lowerBound
    let end = min(stretch.frames.upperBound, heard, begin + Int64(limit))
    stretch.frames = begin..<end
    let storage = FrameStorage(capacity: stretch.frames.count * channelCount)
    copy(begin..<end, into: storage.samples)
    first = end
    forget(before: end)
    return (stretch, storage)
  }

  private func copy(_ frames: Range<StreamFrame>, into target: UnsafeMutablePointer<Float>) {
    var at = frames.lowerBound
    while at < frames.upperBound {
      let slot = slot(of: at)
      let run = min(Int(frames.upperBound - at), capacity - slot)
      (target + Int(at - frames.lowerBound) * channelCount).update(
        from: samples + slot * channelCount, count: run * channelCount)
      at += Int64(run)
    }
  }
}
