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
    return ItemVolume(
      gain: (own?.gain ?? item.gain) + loudnessGain(of: item), automation: item.volumeAutomation)
  }

  /// `overlap` with its items as loud as they are now.
  func renewed(_ overlap: Overlap) -> Overlap {
    var new = overlap
    new.transition = renewed(overlap.transition)
    return new
  }

  /// `transition` with its items as loud as they are now.
  func renewed(_ transition: Transition) -> Transition {
    Transition(
      leaving: side(transition.leaving.occurrence) ?? transition.leaving,
      entering: side(transition.entering.occurrence) ?? transition.entering,
      crossfade: transition.crossfade, isFollowed: transition.isFollowed,
      isReversed: transition.isReversed)
  }
}
