// SPDX-License-Identifier: Apache-2.0

import Glibc
public import SoundFiles

/// Loudness of a file, or of several as one, by EBU R 128.
public struct MeasuredLoudness: Hashable, Sendable {
  /// Integrated loudness in LUFS; nil for silence, and for less than 0.4 s, of which there is none.
  public let integrated: Double?
  /// Loudness range in LU (EBU Tech 3342); 0 for what is too short.
  public let range: Double
  /// Greatest true peak of all channels, 1 being full scale.
  public let truePeak: Double

  /// Decibels of full scale of the true peak; nil for silence.
  public var truePeakLevel: Double? { truePeak > 0 ? 20 * log10(truePeak) : nil }

  /// Gain and peak for tags; nil where there is no integrated loudness.
  public var replayGain: ReplayGain.Value? {
    integrated.map { ReplayGain.Value(gain: ReplayGain.referenceLevel - $0, peak: truePeak) }
  }
}
