// SPDX-License-Identifier: Apache-2.0

/// Gains by the loudness of the items of a rendering; any thread.
struct BounceLoudness: Sendable {
  private let items: [PlaylistItem]
  private let normalization: LoudnessNormalization
  private let known = KnownLoudness()

  init(_ items: [PlaylistItem], _ normalization: LoudnessNormalization) {
    (self.items, self.normalization) = (items, normalization)
  }

  /// Takes note of what `source`, which is open, says of item `index`; `open` opens its neighbours if they count.
  func learn(
    _ source: any FrameSource, of index: Int, open: (PlaylistItem) throws -> any FrameSource
  ) {
    guard normalization.mode != .off else { return }
    known.learn(source, of: items[index])
    guard normalization.mode == .automatic else { return }
    known.look(at: neighbours(of: index), of: items[index], isBegun: false, open: open)
  }

  /// Gain in decibels of item `index`, its own and that by its loudness.
  func gain(_ index: Int) -> Float {
    let item = items[index]
    guard normalization.mode != .off else { return item.gain }
    return item.gain
      + known.gain(of: item, between: neighbours(of: index), by: normalization)
  }

  private func neighbours(of index: Int) -> KnownLoudness.Neighbours {
    (index > 0 ? items[index - 1] : nil, index + 1 < items.count ? items[index + 1] : nil)
  }
}
