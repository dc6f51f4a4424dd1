// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MediaTime
import Rendering
import SampleBuffers
import SoundFiles

/// Overlaps of the items of a rendering, each found out as the two items are opened; any thread.
final class BounceOverlaps: @unchecked Sendable {
  // @unchecked: what is mutable is touched only between wait and signal of `semaphore`.

  /// Length, rate and tags of an item, as its file tells them: what an overlap depends on.
  private struct Facts {
    /// At least so long as may overlap where `isWhole` says that it is searched for.
    let length: Int64
    let isWhole: Bool
    let rate: Int
    let tags: Tags
  }

  /// An item that is opened on a thread of its own, as a file that hangs holds up none of its neighbours.
  private final class Opening: @unchecked Sendable {
    // @unchecked: `search` is touched only between wait and signal of the owner's semaphore.

    struct Key: Hashable {
      let index: Int
      let isLeaving: Bool
    }

    let isOver = DispatchGroup()
    var search: LengthSearch?
  }

  private let items: [PlaylistItem]
  let crossfade: ItemCrossfade?
  /// Gains of the items by their loudness.
  let loudness: BounceLoudness
  /// Silence between items that have none of their own: nothing overlaps across it.
  private let gap: MediaTime
  /// Seconds that an item waits for a neighbour to be opened, or for the search for its length to get on.
  private let timeout: Double
  private let open: DecoderWatchdog.Opener
  private let semaphore = DispatchSemaphore(value: 1)
  /// Of each item that was opened; nil where it cannot be, not in time, or is of an unknown length.
  private var facts: [Int: Facts?] = [:]
  /// Of each item with the one behind it.
  private var overlaps: [Int: Overlap?] = [:]
  private var openings: [Opening.Key: Opening] = [:]
  /// Nothing is known any more of items before this one.
  private var first = 0
  /// Counts what was found out for nothing.
  private var generation = 0

  /// The overlaps of `items`, which wait `timeout` seconds for a neighbour.
  init(
    _ items: [PlaylistItem], _ crossfade: ItemCrossfade?, gap: MediaTime,
    _ loudness: BounceLoudness, opening open: @escaping DecoderWatchdog.Opener,
    timeout: Double = 2
  ) {
    (self.items, self.crossfade, self.gap, self.open) = (items, crossfade, gap, open)
    self.loudness = loudness
    self.timeout = timeout
  }

  /// The source of item `index` as it is heard: mixed with its neighbours, without what is theirs.
  ///
  /// - Throws: Why it cannot be opened.
  func source(_ index: Int) throws -> any FrameSource {
    let source = try open(items[index])
    return crossfade == nil ? source : BouncedItem(source, index, in: self)
  }

  /// The overlaps of item `index` with its neighbours, once its source has been opened.
  func known(_ index: Int) -> (entry: Overlap?, exit: Overlap?) {
    semaphore.withLock { (overlaps[index - 1] ?? nil, overlaps[index] ?? nil) }
  }

  /// The same where `source`, which is open, is the item's; opens what follows, and what is before if need be.
  func find(_ index: Int, _ source: any FrameSource) -> (entry: Overlap?, exit: Overlap?) {
    learn(source, of: index)
    return (overlap(behind: index - 1), overlap(behind: index))
  }

  /// The other item of an overlap, open.
  func opened(_ item: PlaylistItem) throws -> any FrameSource {
    let source = try open(item)
    try source.open()
    return source
  }

  /// Drops what is before item `index`, which is over; `position` of its frames have been read.
  ///
  /// - Returns: whether it ended before the middle of its overlap: those behind it are to be opened again then.
  func end(_ index: Int, at position: Int64) -> Bool {
    guard crossfade != nil else { return false }
    return semaphore.withLock {
      let (entry, known) = (overlaps[index - 1] ?? nil, overlaps[index])
      first = index
      facts = facts.filter { $0.key >= index }
      openings = openings.filter { $0.key.index >= index }
      overlaps = overlaps.filter { $0.key >= index }
      guard let known else {
        // It has not been opened.
        overlaps[index] = .some(nil)
        return false
      }
      guard let exit = known,
        position < exit.leaving.length - exit.leaving.frames - (entry?.entering.frames ?? 0)
      else { return false }
      generation += 1
      overlaps = [index: nil]
      return true
    }
  }

  private func overlap(behind index: Int) -> Overlap? {
    guard items.indices.contains(index), items.indices.contains(index + 1) else { return nil }
    let (known, isGone, generation) = semaphore.withLock {
      (overlaps[index], index < first, self.generation)
    }
    if let known { return known }
    if isGone { return nil }
    let new = findOverlap(behind: index)
    // Nothing is locked while files are opened: the first to know it says it.
    return semaphore.withLock {
      if let known = overlaps[index] { return known }
      if generation == self.generation, index >= first { overlaps[index] = .some(new) }
      return new
    }
  }

  private func findOverlap(behind index: Int) -> Overlap? {
    let (leaving, entering) = (items[index], items[index + 1])
    guard let crossfade, leaving.id != entering.id, !hasGap(before: entering),
      let one = facts(of: index, isLeaving: true),
      let other = facts(of: index + 1, isLeaving: false)
    else { return nil }
    if !crossfade.includesAlbums, one.tags.isFollowedInAlbum(by: other.tags) { return nil }
    let transition = Transition(
      leaving: side(index), entering: side(index + 1), crossfade: crossfade,
      isFollowed: index + 2 < items.count && items[index + 2].id != entering.id
        && !hasGap(before: items[index + 2]),
      isReversed: false)
    return Overlap(
      transition, leaving: (one.length, one.rate), entering: (other.length, other.rate),
      from: overlap(behind: index - 1)?.duration.frames(at: one.rate) ?? 0)
  }

  private func hasGap(before item: PlaylistItem) -> Bool { item.gap ?? gap > .zero }

  private func side(_ index: Int) -> Transition.Side {
    let item = items[index]
    return Transition.Side(
      occurrence: Occurrence(id: item.id, pass: index), item: item,
      volume: ItemVolume(gain: loudness.gain(index), automation: item.volumeAutomation))
  }

  private func facts(of index: Int, isLeaving: Bool) -> Facts? {
    let key = Opening.Key(index: index, isLeaving: isLeaving)
    let (known, opening, isNew) = semaphore.withLock {
      if let known = facts[index], known?.isWhole != false || !isLeaving {
        return (Facts??.some(known), Opening(), false)
      }
      if let opening = openings[key] { return (nil, opening, false) }
      let opening = Opening()
      openings[key] = opening
      return (nil, opening, true)
    }
    if let known { return known }
    if isNew {
      opening.isOver.enter()
      NamedThread.start("attacca-open", stackSize: 1 << 20) { [self] in
        run(opening, key)
        opening.isOver.leave()
      }
    }
    wait(for: opening)
    return semaphore.withLock {
      if let known = facts[index] { return known?.isWhole != false || !isLeaving ? known : nil }
      // Nobody waits for it again.
      if index >= first { facts[index] = .some(nil) }
      return nil
    }
  }

  /// Waits for as long as it gets on.
  private func wait(for opening: Opening) {
    var steps = 0
    while opening.isOver.wait(timeout: .now() + timeout) == .timedOut {
      let now = semaphore.withLock { opening.search }?.steps ?? 0
      guard now > steps else { return }
      steps = now
    }
  }

  private func run(_ opening: Opening, _ key: Opening.Key) {
    do {
      let source = try opened(items[key.index])
      semaphore.withLock { opening.search = source.lengthSearch }
      learn(source, of: key.index, isLeaving: key.isLeaving)
    } catch {
      // Its own turn tells why.
      semaphore.withLock {
        if key.index >= first, facts[key.index] == nil { facts[key.index] = .some(nil) }
      }
    }
  }

  private func learn(_ source: any FrameSource, of index: Int, isLeaving: Bool = true) {
    loudness.learn(source, of: index, open: opened)
    guard let crossfade else { return }
    // Twice as long as the overlap is long enough for the item that begins.
    let wanted = 2 * crossfade.frames(at: source.format.sampleRate)
    if source.frameCount == nil { source.lengthSearch?.run(to: isLeaving ? .max : wanted) }
    let isLonger = source.lengthSearch.map { !$0.isOver } ?? false
    let count = source.frameCount
    let new = (count ?? (isLonger ? wanted : nil)).map {
      Facts(
        length: $0, isWhole: count != nil, rate: source.format.sampleRate,
        tags: items[index].tags ?? source.tags)
    }
    semaphore.withLock {
      guard index >= first else { return }
      // What was waited for in vain has come.
      if let known = facts[index], let known, known.isWhole || new?.isWhole != true { return }
      facts[index] = .some(new)
    }
  }
}
