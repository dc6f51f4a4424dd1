// SPDX-License-Identifier: Apache-2.0

import Attacca

/// The source of a rendering's frames.
protocol RenderingSource: Sendable {
  /// Index of the item that is being rendered, and the number of items; any thread.
  var place: (index: Int, count: Int)? { get }
  /// Length of the silence that has been left out so far; any thread.
  var skippedSilence: MediaTime { get }
  /// Ends `render` soon; any thread.
  func cancel()
  /// Renders everything; blocks. `failed` is told what failed, and how many items that are, on any
  /// thread, and has been when this returns.
  func render(
    _ body: (UnsafeBufferPointer<Float>) throws(RenderingEnd) -> Void,
    failed: @escaping @Sendable ([String], _ count: Int) -> Void
  ) throws(RenderingEnd)
}

/// Whole items, on all cores.
struct BouncedItems: RenderingSource {
  private let bounce: Bounce
  private let count: Int

  init(
    _ items: [PlaylistItem], format: AudioFormat, quality: RateConverter.Quality,
    effects: [any AudioEffect], crossfade: ItemCrossfade?, gap: MediaTime,
    normalization: LoudnessNormalization, limiter: LimiterEffect?, silence: SilenceSkipping?
  ) {
    bounce = Bounce(
      items, format: format, quality: quality, effects: effects, crossfade: crossfade, gap: gap,
      loudnessNormalization: normalization, limiter: limiter, silenceSkipping: silence)
    count = items.count
  }

  var place: (index: Int, count: Int)? { (bounce.currentIndex, count) }

  var skippedSilence: MediaTime { bounce.skippedSilence }

  func cancel() { bounce.cancel() }

  func render(
    _ body: (UnsafeBufferPointer<Float>) throws(RenderingEnd) -> Void,
    failed: @escaping @Sendable ([String], _ count: Int) -> Void
  ) throws(RenderingEnd) {
    try bounce.render(body) { failed([ErrorText.of($0)], 1) }
  }
}
