// SPDX-License-Identifier: Apache-2.0

public import MediaTime
import Rendering
public import SoundFiles

/// An item on the timeline: where it starts, and where it ends once that is known.
///
/// What is not public here are times of the timeline, which always runs forward: backwards, media
/// time is its negative.
public struct ItemSpan: Sendable {
  /// The item.
  public let item: PlaylistItem
  /// Range that is played of it.
  let range: PlayedRange
  /// Time at which its first frame is heard if all of it is: offset zero, or its end if it is reversed.
  let lineStart: RationalTime
  /// What is left out of it, as far as it is on the timeline.
  var skips = SkippedParts()
  /// Time at which the first frame played of it is heard.
  let begin: RationalTime
  /// The item's exact length, as its file tells; nil while that is not known:
  /// `PlaybackEvent.durationDidChange` follows.
  public internal(set) var duration: RationalTime?
  /// The chapters of the item by where each is heard; nil where it has none.
  var chapterMap: ChapterMap?
  /// Chapters of the item, by its own time: offset zero is the item's beginning.
  public var chapters: [Chapter] { chapterMap?.chapters ?? [] }
  /// Tags of the item's file.
  public internal(set) var tags: Tags
  /// Time at which its last frame has been heard; nil while it is being decoded.
  var end: RationalTime?
  /// The item's frames a second, by which positions within it are counted.
  public internal(set) var sampleRate: Int
  /// Decibels by which it is louder than its source.
  var gain: Float = 0
  /// Its volume as a function of its offset.
  var volumeAutomation = VolumeAutomation()
  /// Rises from item to item in the order in which they are put on the timeline.
  var place = 0

  /// The time at which offset zero of the item is heard: exact, by the *actual* lengths of what was played before;
  /// negative where playing backwards went past time zero.
  public var start: RationalTime {
    range.isReversed ? .zero - (lineStart + (duration ?? .zero)) : lineStart
  }

  /// The time at which offset zero would be heard, by what is heard at `time`: what is left out before that counts as
  /// heard.
  func start(at time: RationalTime) -> RationalTime {
    (range.isReversed ? .zero - time : time) - offset(at: time)
  }

  /// The time of the timeline at which a place of the item is heard, counted in the direction of playing; of what is not
  /// on the timeline yet as though all of it were heard.
  func time(ofPlace place: RationalTime) -> RationalTime { lineStart + skips.line(of: place) }

  /// The time of the timeline at which an offset is heard.
  func time(of offset: RationalTime) -> RationalTime {
    time(ofPlace: range.isReversed ? (duration ?? .zero) - offset : offset)
  }

  /// The offset that is heard at a time of the timeline, where the range has got by then; negative in the silence in
  /// front of the item.
  func offset(at time: RationalTime) -> RationalTime {
    let progress = skips.place(at: max(time, begin) - lineStart)
    guard range.isReversed else { return progress }
    return max(.zero - range.gap, (duration ?? .zero) - progress)
  }
}
