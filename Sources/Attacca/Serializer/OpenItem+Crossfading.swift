// SPDX-License-Identifier: Apache-2.0

import MediaTime
import SampleBuffers
import SoundFiles

// Where an item overlaps its neighbours; on the decoder thread.
extension OpenItem {
  /// A change of the gains that apply to the item's frames.
  struct VolumePart {
    /// The place in the item from which on it counts, in the direction of playing.
    let begin: RationalTime
    /// The frames are mixed, with all gains of items in them.
    let isMixed: Bool
  }

  /// Frames that may be read before the item's end has to be decided on for `transition`, if about `duration` is to
  /// be read; nil where there is nothing to decide, or nothing is known of an end so near.
  func framesBeforeDecision(_ transition: Transition?, duration: RationalTime) -> Int64? {
    guard tail == nil, range.to == nil, let transition,
      transition.leaving.occurrence == range.occurrence
    else { return nil }
    let rate = source.format.sampleRate
    let wanted = transition.crossfade.frames(at: rate)
    if source.frameCount == nil {
      source.lengthSearch?.run(to: nextFrame + wanted + max(1, duration.frames(at: rate)))
    }
    guard let length = source.frameCount else { return nil }
    return max(0, decision(transition, in: length) - nextFrame)
  }

  /// The frame before which the item's end has to be decided on for `transition`, if it has `length` frames.
  func decision(_ transition: Transition, in length: Int64) -> Int64 {
    max(length - transition.crossfade.frames(at: source.format.sampleRate), entryEnd)
  }

  /// Decides on the item's end: it overlaps with `following`, which is open and at its first frame in the direction
  /// of playing, or ends where it ends; nil where that cannot be read.
  func decide(_ transition: Transition, _ following: (any FrameSource)?) {
    let overlap = following.flatMap { makeOverlap(transition, $0) }
    tail = Tail(transition: transition, overlap: overlap)
    guard let overlap, let following else { return }
    // What is mixed is heard as a whole, at places that are known now.
    skipper?.end()
    leave(overlap) { following }
  }

  private func makeOverlap(_ transition: Transition, _ following: any FrameSource) -> Overlap? {
    let rate = following.format.sampleRate
    // Twice as long as the overlap is long enough.
    let frames = transition.crossfade.frames(at: rate)
    if following.frameCount == nil { following.lengthSearch?.run(to: 2 * frames) }
    let isLonger = following.lengthSearch.map { !$0.isOver } ?? false
    let known = following.frameCount
    guard let length = source.frameCount,
      let followingLength = known ?? (isLonger ? 2 * frames : nil)
    else { return nil }
    let tags = transition.entering.item.tags ?? following.tags
    let (first, second) = transition.isReversed ? (tags, span.tags) : (span.tags, tags)
    if !transition.crossfade.includesAlbums, first.isFollowedInAlbum(by: second) { return nil }
    return Overlap(
      transition, leaving: (length, source.format.sampleRate), entering: (followingLength, rate),
      from: max(nextFrame, entryEnd), isProvisional: known == nil)
  }

  /// The first frame behind the overlap that it begins with.
  var entryEnd: Int64 {
    range.entry?.duration.frames(at: source.format.sampleRate) ?? 0
  }

  /// The item as it is played, once it is open.
  static func directed(
    _ source: any FrameSource, _ item: PlaylistItem, isReversed: Bool
  ) throws -> any FrameSource {
    guard isReversed else { return source }
    // Backwards it begins with its end.
    if source.frameCount == nil { source.lengthSearch?.run() }
    return try ReversedSource(source, path: item.path)
  }

  /// Parts of its frames to which other gains apply, in order.
  var volumeParts: [VolumePart] {
    var parts: [VolumePart] = []
    if range.entry != nil {
      parts.append(VolumePart(begin: time(of: entryEnd), isMixed: false))
    }
    if let overlap = tail?.overlap {
      let begin = overlap.begin.frames(at: source.format.sampleRate)
      parts.append(VolumePart(begin: time(of: begin), isMixed: true))
    }
    return parts
  }

  private func time(of frame: Int64) -> RationalTime {
    RationalTime(frames: frame, rate: source.format.sampleRate)
  }
}
