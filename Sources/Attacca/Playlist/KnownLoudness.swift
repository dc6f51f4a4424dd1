// SPDX-License-Identifier: Apache-2.0

import DequeModule
import Dispatch
import SoundFiles

/// Loudness of items by the tags of what has been opened of them, and whether the list has them in their album.
///
/// Filled by the threads that open items, and asked by all that know how loud they are to be.
final class KnownLoudness: @unchecked Sendable {
  // @unchecked: everything mutable is touched only between wait and signal of `semaphore`.

  fileprivate struct Facts {
    let replayGain: ReplayGain
    /// Names and numbers by which tracks follow each other.
    let place: Tags
    /// True where the list has it between tracks of its album; nil where nobody has looked.
    var isInAlbum: Bool?
  }

  /// Items before one and behind it in the list.
  typealias Neighbours = (before: PlaylistItem?, behind: PlaylistItem?)

  /// Items of which something is known: many more than a device is given ahead.
  private static let most = 1_024

  private let semaphore = DispatchSemaphore(value: 1)
  private var facts: [PlaylistItem.ID: Facts] = [:]
  /// In the order in which they were learned first.
  private var known: Deque<PlaylistItem.ID> = []

  /// Takes note of what `source` says of `item`, which it is the source of.
  func learn(_ source: any FrameSource, of item: PlaylistItem) {
    let tags = source.tags
    var replayGain = item.tags?.replayGain ?? ReplayGain()
    replayGain.fill(from: tags.replayGain)
    let shown = item.tags ?? tags
    var place = Tags()
    for name in [Tags.Name.album, .albumArtist, .track, .disc] { place[name] = shown[name] }
    semaphore.withLock {
      let old = facts[item.id]
      // Nothing is what is taken of an item that is not known.
      if old == nil, replayGain.isEmpty, place.isEmpty { return }
      facts[item.id] = Facts(replayGain: replayGain, place: place, isInAlbum: old?.isInAlbum)
      guard old == nil else { return }
      known.append(item.id)
      if known.count > Self.most, let first = known.popFirst() { facts[first] = nil }
    }
  }

  /// Finds out whether `item` is in its album between `neighbours`, where it is begun or that is not known yet.
  ///
  /// On a thread that may wait: those that are files and not known yet are opened.
  func look(
    at neighbours: Neighbours, of item: PlaylistItem, isBegun: Bool,
    open: (PlaylistItem) throws -> any FrameSource
  ) {
    let isWanted = semaphore.withLock {
      facts[item.id].map { $0.hasToChoose && (isBegun || $0.isInAlbum == nil) } ?? false
    }
    guard isWanted else { return }
    for other in [neighbours.behind, neighbours.before].compactMap(\.self) {
      guard other.isFile, other.tags == nil, semaphore.withLock({ facts[other.id] == nil }) else {
        continue
      }
      do {
        learn(try open(other), of: other)
      } catch {
        // Its own turn tells why.
      }
    }
    semaphore.withLock {
      let isInAlbum = isBetweenTracks(item, neighbours)
      facts[item.id]?.isInAlbum = isInAlbum
    }
  }

  /// Gain in decibels of `item` between `neighbours`.
  func gain(
    of item: PlaylistItem, between neighbours: @autoclosure () -> Neighbours,
    by normalization: LoudnessNormalization
  ) -> Float {
    semaphore.withLock {
      guard let own = facts[item.id] else {
        let stated = item.tags?.replayGain ?? ReplayGain()
        return normalization.gain(for: stated, isInAlbum: false)
      }
      let isToLook = normalization.mode == .automatic && own.hasToChoose
      let isInAlbum =
        isToLook ? own.isInAlbum ?? isBetweenTracks(item, neighbours()) : false
      return normalization.gain(for: own.replayGain, isInAlbum: isInAlbum)
    }
  }

  /// With the semaphore held.
  private func isBetweenTracks(_ item: PlaylistItem, _ neighbours: Neighbours) -> Bool {
    guard let own = facts[item.id]?.place else { return false }
    func place(_ item: PlaylistItem?) -> Tags? {
      item.flatMap { facts[$0.id]?.place ?? $0.tags }
    }
    return place(neighbours.before)?.isFollowedInAlbum(by: own) == true
      || place(neighbours.behind).map { own.isFollowedInAlbum(by: $0) } == true
  }
}

extension KnownLoudness.Facts {
  /// True where it is another gain by the album than by itself.
  fileprivate var hasToChoose: Bool {
    replayGain.track != nil && replayGain.album != nil && replayGain.track != replayGain.album
  }
}

extension PlaylistItem {
  /// True where opening it takes what opening a file takes.
  fileprivate var isFile: Bool {
    source == nil || source is FileSource || source is SharedFileSource
  }
}
