// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// Frames that a crossfade leads away from, and the factors at which they would have been heard.
struct OldFrames {
  private let copied: StagedFrames
  /// A factor for each frame; empty for 1 throughout.
  private let factors: [Float]

  /// What `ring` holds from stream frame `first` on, silence where it holds nothing, with the gains of that
  /// content.
  init(
    from ring: borrowing FrameRing, at gains: borrowing ContentGains, from first: StreamFrame,
    frames: Int
  ) {
    copied = StagedFrames(copying: ring, from: first, frames: frames)
    factors = gains.isUnity ? [] : gains.factors(from: first, frames: frames)
  }

  var count: Int { copied.count }

  /// Whether they would have been heard as they are.
  var isUnity: Bool { factors.isEmpty }

  /// Frames from `first` on, so that they are as loud as they would have been when they are heard at the
  /// `new` factors, which are not 0; empty for 1 throughout.
  func frames(from first: Int, heardAt new: [Float], frames: Int) -> StagedFrames {
    let channels = copied.channelCount
    let result = StagedFrames(copying: copied, from: first, frames: frames)
    guard !factors.isEmpty || !new.isEmpty else { return result }
    for i in 0..<frames {
      let old = factors.isEmpty ? 1 : factors[first + i]
      let factor = new.isEmpty ? 1 : new[i]
      guard old != factor else { continue }
      for j in (i * channels)..<((i + 1) * channels) { result.samples[j] *= old / factor }
    }
    return result
  }
}
