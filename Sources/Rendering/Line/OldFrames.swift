// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// Frames that a crossfade leads away from, and the factors at which they would have been heard.
struct OldFrames {
  private let copied: StagedFrames
  /// A factor for each frame; empty for 1 throughout.
  private let factors: [Float]

  /// Copies what `ring` holds from stream frame `first` on, silence where it holds nothing, at `factors`, which are
  /// empty for 1 throughout.
  init(from ring: borrowing FrameRing, at factors: [Float], from first: StreamFrame, frames: Int) {
    copied = StagedFrames(copying: ring, from: first, frames: frames)
    self.factors = factors
  }

  var count: Int { copied.count }

  /// True where they would have been heard as they are.
  var isUnity: Bool { factors.isEmpty }

  /// Frames from `first` on, as loud as they would have been.
  func frames(from first: Int, frames: Int) -> StagedFrames {
    let result = StagedFrames(copying: copied, from: first, frames: frames)
    if !factors.isEmpty { result.multiply(by: factors[first..<(first + frames)]) }
    return result
  }
}
