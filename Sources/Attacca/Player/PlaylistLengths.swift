// SPDX-License-Identifier: Apache-2.0

public import MediaTime
import Preconditions
public import SoundFiles

/// The items of a list one behind the other on one line, as far as their lengths are known: a value.
///
/// Item by item the line has as many frames as the item's file, and no silence or overlap between them. Sums are exact;
/// what is looked up costs O(log n).
public struct PlaylistLengths: Sendable {
  /// The length of one item.
  public enum Length: Hashable, Sendable {
    /// The item's length is still to be read.
    case reading
    case exact(MediaTime)
    /// Its source tells none, or cannot be opened.
    case unknown
  }

  private struct Entry: Sendable {
    /// nil where the source tells none.
    let duration: RationalTime?
    var chapters: [Chapter] = []
    var title: String?
  }

  /// The items.
  public private(set) var items: PlaylistItems
  private var entries: [PlaylistItem.ID: Entry] = [:]
  /// Beginnings of the items on the timeline of the list, up to that of the first whose length is not known, or the
  /// end of the list.
  private var starts: [RationalTime] = [.zero]
  /// Sum of all known lengths.
  private var sum = RationalTime.zero
  /// Items of the list whose lengths are known, and those that have none.
  private var (exactCount, unknownCount) = (0, 0)

  /// Items whose lengths are all to be read.
  init(_ items: PlaylistItems) { self.items = items }

  // MARK: Learning

  /// Puts another list in the place of the items; what is known of those that stay is kept.
  mutating func replace(with items: PlaylistItems) {
    let old = entries
    self.items = items
    (entries, starts, sum, exactCount, unknownCount) = ([:], [.zero], .zero, 0, 0)
    for item in items {
      guard let entry = old[item.id] else { continue }
      entries[item.id] = entry
      count(entry)
    }
    extend()
  }

  /// Takes the length of an item that its source has told, or that it tells none.
  ///
  /// - Returns: false, and nothing changed, where that is known, or the item is not here.
  mutating func learn(
    _ duration: RationalTime?, of id: PlaylistItem.ID, chapters: [Chapter] = [],
    title: String? = nil
  ) -> Bool {
    guard let index = items.index(of: id) else { return false }
    let old = entries[id]
    let isNews =
      old == nil || (old?.chapters.isEmpty == true && !chapters.isEmpty)
      || (old?.title == nil && title != nil)
    guard isNews || old?.duration != duration && duration != nil else { return false }
    let entry = Entry(
      duration: duration ?? old?.duration,
      chapters: chapters.isEmpty ? old?.chapters ?? [] : chapters,
      title: title ?? old?.title)
    if let old { uncount(old) }
    entries[id] = entry
    count(entry)
    // A file that turns out to be of another length moves all behind it.
    if index + 1 < starts.count, old?.duration != entry.duration {
      starts.removeSubrange((index + 1)...)
    }
    extend()
    return true
  }

  private mutating func count(_ entry: Entry) {
    if let duration = entry.duration {
      sum = sum + duration
      exactCount += 1
    } else {
      unknownCount += 1
    }
  }

  private mutating func uncount(_ entry: Entry) {
    if let duration = entry.duration {
      sum = sum - duration
      exactCount -= 1
    } else {
      unknownCount -= 1
    }
  }

  private mutating func extend() {
    while starts.count <= items.count,
      let duration = entries[items[starts.count - 1].id]?.duration
    {
      starts.append(starts[starts.count - 1] + duration)
    }
  }

  /// The first item whose length is still to be read, from the one at `index` on and then from the beginning.
  func firstUnread(from index: Int = 0) -> PlaylistItem? {
    guard exactCount + unknownCount < items.count else { return nil }
    // Up to there all are known, as a rule nearly all of the list.
    let first = starts.count - 1
    let index = min(max(first, index), items.count)
    return items[index...].first { entries[$0.id] == nil }
      ?? items[first..<index].first { entries[$0.id] == nil }
  }

  // MARK: Looking

  /// The length of all.
  public var duration: PlaylistDuration {
    let known = MediaTime(sum)
    let remaining = items.count - exactCount - unknownCount
    if remaining > 0 { return .reading(atLeast: known, remaining: remaining) }
    return unknownCount > 0 ? .indefinite(atLeast: known, unknown: unknownCount) : .exact(known)
  }

  /// The length of the item at `index`.
  ///
  /// - Precondition: `index` is in 0..<count.
  public func length(ofItemAt index: Int) -> Length {
    guard let entry = entries[items[index].id] else { return .reading }
    return entry.duration.map { .exact(MediaTime($0)) } ?? .unknown
  }

  /// The place on the line at which the item at `index` begins; nil where the length of one before it is not known.
  ///
  /// - Precondition: `index` is in 0..<count.
  public func start(ofItemAt index: Int) -> MediaTime? {
    require(
      items.indices.contains(index), "the item at \(index); 0..<\(items.count) are permitted")
    return index < starts.count ? MediaTime(starts[index]) : nil
  }

  /// The place on the line of an offset in an item; nil where the item is not here, or the length of one before it is not
  /// known.
  public func position(of offset: MediaTime, in id: PlaylistItem.ID) -> MediaTime? {
    guard let index = items.index(of: id), index < starts.count, offset.isNumeric else {
      return nil
    }
    let offset = max(.zero, RationalTime(offset))
    return MediaTime(starts[index] + min(offset, entries[id]?.duration ?? offset))
  }

  /// The item at a place on the line, by its index, and the offset in it: the first one behind the end of the item before.
  ///
  /// Behind the end of all it is the end of the last item, before the beginning the first one's beginning.
  ///
  /// - Returns: nil where lengths up to there are not known, and of an empty list.
  public func place(at position: MediaTime) -> (index: Int, offset: MediaTime)? {
    guard position.isNumeric, !items.isEmpty else { return nil }
    let position = max(.zero, RationalTime(position))
    guard var index = ChapterMap.last(starts.count, where: { starts[$0] <= position }) else {
      return nil
    }
    if index == items.count {
      // Items without a frame have no end to go to.
      index -= 1
      while index > 0, starts[index] == starts[index + 1] { index -= 1 }
      return (index, MediaTime(starts[index + 1] - starts[index]))
    }
    // An item whose length is not known may end before that.
    guard index + 1 < starts.count || position == starts[index] else { return nil }
    return (index, MediaTime(position - starts[index]))
  }

  /// The chapters of all items on the line, as far as that is known: each item is one, with its own within it.
  ///
  /// An item without a title has its file's name.
  public var chapters: [Chapter] {
    zip(items, starts).map { item, start in
      let entry = entries[item.id]
      let begin = MediaTime(start)
      return Chapter(
        title: item.tags?.title ?? entry?.title ?? item.bytePath.name.text, start: begin,
        end: entry?.duration.map { MediaTime(start + $0) },
        chapters: (entry?.chapters ?? []).later(by: begin))
    }
  }
}

extension [Chapter] {
  /// The same, `time` later.
  fileprivate func later(by time: MediaTime) -> [Chapter] {
    map { chapter in
      Chapter(
        title: chapter.title, start: chapter.start + time, end: chapter.end.map { $0 + time },
        chapters: chapter.chapters.later(by: time))
    }
  }
}
