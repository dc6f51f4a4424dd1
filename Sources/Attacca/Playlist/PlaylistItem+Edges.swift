// SPDX-License-Identifier: Apache-2.0

public import MediaTime

extension PlaylistItem {
  /// A new item without `intro` at its beginning and `outro` at its end: a clip of what this one plays.
  ///
  /// The volume automation counts from the clip's beginning, as that of any clip does. Where as much is not there, it is the
  /// same item.
  ///
  /// - Parameters:
  ///   - intro: Time that is left out at the beginning.
  ///   - outro: Time that is left out at the end.
  ///   - duration: The item's length; nil where it is not known, and nothing is left out at the end.
  /// - Returns: The clip, or this item.
  public func skipping(
    intro: MediaTime, outro: MediaTime, of duration: MediaTime?
  ) -> PlaylistItem {
    let left = duration.map { $0 - intro - outro }
    guard intro.isNumeric, outro.isNumeric, intro > .zero || outro > .zero,
      left.map({ $0 > .zero }) ?? true
    else { return self }
    let begin = start + max(intro, .zero)
    let end = duration.map { start + $0 - max(outro, .zero) } ?? end
    return PlaylistItem(
      source ?? FileSource(path: bytePath), start: begin, end: outro > .zero ? end : self.end,
      gain: gain, volumeAutomation: volumeAutomation, gap: gap, tags: tags, metadata: metadata)
  }
}
