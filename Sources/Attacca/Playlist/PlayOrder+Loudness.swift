// SPDX-License-Identifier: Apache-2.0

extension PlayOrder {
  /// Gain in decibels that brings `item` to the loudness that is asked for, on top of its own; 0 where none is.
  func loudnessGain(of item: PlaylistItem) -> Float {
    guard normalization.mode != .off else { return 0 }
    return loudness.gain(of: item, between: neighbours(of: item), by: normalization)
  }

  /// Takes note of what `source`, which has just been opened, says of the loudness of `item`; on a decoder thread.
  ///
  /// `open` opens its neighbours if they are to be known.
  func learn(
    _ source: any FrameSource, of item: PlaylistItem, isBegun: Bool,
    open: (PlaylistItem) throws -> any FrameSource
  ) {
    loudness.learn(source, of: item)
    lookForAlbum(of: item, isBegun: isBegun, open: open)
  }

  /// Finds out whether `item` is in its album here, if that counts; on a thread that may wait.
  func lookForAlbum(
    of item: PlaylistItem, isBegun: Bool = false,
    open: (PlaylistItem) throws -> any FrameSource
  ) {
    guard normalization.mode == .automatic else { return }
    loudness.look(at: neighbours(of: item), of: item, isBegun: isBegun, open: open)
  }

  private func neighbours(of item: PlaylistItem) -> KnownLoudness.Neighbours {
    guard let index = items.index(of: item.id) else { return (nil, nil) }
    return (
      index > 0 ? items[index - 1] : nil, index + 1 < items.count ? items[index + 1] : nil
    )
  }
}
