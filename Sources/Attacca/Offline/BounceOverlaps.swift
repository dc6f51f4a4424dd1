// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MediaTime
import SampleBuffers
import SoundFiles

/// Where the items of a rendering overlap, found out as they are opened; any thread.
final class BounceOverlaps: @unchecked Sendable {
  /// What an item's file says that it takes.
  private struct Facts {
    let length: Int64
    let rate: Int
    let tags: Tags
  }

  private let items: [PlaylistItem]
  let crossfade: ItemCrossfade?
  private let open: Decoding.Opener
  // @unchecked: what is mutable is touched only between wait and signal of `semaphore`.
  private let semaphore = DispatchSemaphore(value: 1)
  /// Of each item that was opened; nil where it cannot be, or is of an unknown length.
  private var facts: [Int: Facts?] = [:]
  /// Of each item with the one behind it.
  private var overlaps: [Int: Overlap?] = [:]

  init(
    _ items: [PlaylistItem], _ crossfade: ItemCrossfade?, opening open: @escaping Decoding.Opener
  ) {
    (self.items, self.crossfade, self.open) = (items, crossfade, open)
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

  private func overlap(behind index: Int) -> Overlap? {
    guard items.indices.contains(index), items.indices.contains(index + 1) else { return nil }
    if let known = semaphore.withLock({ overlaps[index] }) { return known }
    let new = findOverlap(behind: index)
    // Nothing is locked while files are opened: the first to know it says it.
    return semaphore.withLock {
      let overlap = overlaps[index] ?? new
      overlaps[index] = .some(overlap)
      return overlap
    }
  }

  private func findOverlap(behind index: Int) -> Overlap? {
    let (leaving, entering) = (items[index], items[index + 1])
    guard let crossfade, leaving.id != entering.id, let one = facts(of: index),
      let other = facts(of: index + 1)
    else { return nil }
    if !crossfade.includesAlbums, one.tags.isFollowedInAlbum(by: other.tags) { return nil }
    let transition = Transition(
      leaving: side(index), entering: side(index + 1), crossfade: crossfade,
      isFollowed: index + 2 < items.count && items[index + 2].id != entering.id,
      isReversed: false)
    return Overlap(
      transition, leaving: (one.length, one.rate), entering: (other.length, other.rate),
      from: overlap(behind: index - 1)?.duration.frames(at: one.rate) ?? 0)
  }

  private func side(_ index: Int) -> Transition.Side {
    let item = items[index]
    return Transition.Side(
      occurrence: Occurrence(id: item.id, pass: index), item: item,
      volume: ItemVolume(gain: item.gain, automation: item.volumeAutomation))
  }

  private func facts(of index: Int) -> Facts? {
    if let known = semaphore.withLock({ facts[index] }) { return known }
    let source: (any FrameSource)?
    do {
      source = try opened(items[index])
    } catch {
      // Its own turn tells why.
      source = nil
    }
    return learn(source, of: index)
  }

  @discardableResult
  private func learn(_ source: (any FrameSource)?, of index: Int) -> Facts? {
    if let source, source.frameCount == nil { source.lengthSearch?.run() }
    let new = source.flatMap { source in
      source.frameCount.map {
        Facts(
          length: $0, rate: source.format.sampleRate, tags: items[index].tags ?? source.tags)
      }
    }
    return semaphore.withLock {
      let known = facts[index] ?? new
      facts[index] = .some(known)
      return known
    }
  }
}
