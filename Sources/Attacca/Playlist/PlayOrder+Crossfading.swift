// SPDX-License-Identifier: Apache-2.0

extension PlayOrder {
  /// The overlap that `occurrence` is to end in; nil where it is to end before the next one begins.
  ///
  /// An item is not mixed with itself: repeated or looped, it begins where it ended. Nothing overlaps across a gap.
  func transition(after occurrence: Occurrence) -> Transition? {
    guard let crossfade, let next = other(behind: occurrence), let leaving = side(occurrence),
      let entering = side(next)
    else { return nil }
    return Transition(
      leaving: leaving, entering: entering, crossfade: crossfade,
      isFollowed: other(behind: next) != nil, isReversed: isReversed)
  }

  /// The playing of another item behind `occurrence`.
  private func other(behind occurrence: Occurrence) -> Occurrence? {
    guard exit(of: occurrence) == nil, let next = following(occurrence), !next.isLooping,
      next.from == PlayedRange.edge(isReversed: isReversed), next.to.map({ $0 < .zero }) ?? true,
      next.occurrence.id != occurrence.id
    else { return nil }
    return next.occurrence
  }

  private func side(_ occurrence: Occurrence) -> Transition.Side? {
    item(of: occurrence).map {
      Transition.Side(occurrence: occurrence, item: $0, volume: volume(of: occurrence, $0))
    }
  }

  private func volume(of occurrence: Occurrence, _ item: PlaylistItem) -> ItemVolume {
    let own = [ownGain, leavingGain].compactMap(\.self).first { $0.occurrence == occurrence }
    return ItemVolume(gain: own?.gain ?? item.gain, automation: item.volumeAutomation)
  }

  /// `overlap` with its items as loud as they are now.
  func renewed(_ overlap: Overlap) -> Overlap {
    var new = overlap
    let old = overlap.transition
    new.transition = Transition(
      leaving: side(old.leaving.occurrence) ?? old.leaving,
      entering: side(old.entering.occurrence) ?? old.entering, crossfade: old.crossfade,
      isFollowed: old.isFollowed, isReversed: old.isReversed)
    return new
  }
}
