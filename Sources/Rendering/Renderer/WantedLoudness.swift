// SPDX-License-Identifier: Apache-2.0

/// Loudness that is asked of a renderer, apart from that of the items.
struct WantedLoudness {
  /// The renderer's own gain, 1 for unchanged; kept while it is muted.
  var volume: Float = 1
  var isMuted = false
  /// The volume as a function of media time, which `gain` is multiplied by.
  var automation = VolumeAutomation()

  /// Gain at which frames are to be heard: 0 where the renderer is muted.
  var gain: Float { isMuted ? 0 : volume }
}
