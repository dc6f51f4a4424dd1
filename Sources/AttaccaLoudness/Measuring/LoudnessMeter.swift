// SPDX-License-Identifier: Apache-2.0

import CEBUR128
import Preconditions
public import SampleBuffers
public import SoundFiles

/// Measures the loudness of frames as they come, by libebur128.
///
/// One thread at a time. An hour of sound takes 0.6 MB.
public final class LoudnessMeter: @unchecked Sendable {
  // @unchecked: handed from the thread that adds frames to the one that asks.

  // Owned: made in `init`, destroyed in `deinit`.
  private var state: UnsafeMutablePointer<ebur128_state>?
  private var format: AudioFormat
  /// Peaks of before the format changed last, with which libebur128 forgets them.
  private var earlierPeak = 0.0

  /// A meter of frames of `format`.
  ///
  /// - Throws: `unsupported` where libebur128 is not installed.
  public init(format: AudioFormat) throws(SoundFileError) {
    self.format = format
    guard attacca_ebur128_load() else {
      throw SoundFileError(
        .unsupported, path: "\(format)", call: "libebur128",
        cause: "libebur128, which measures loudness, is not installed; its package is libebur128-1")
    }
    let mode =
      EBUR128_MODE_I.rawValue | EBUR128_MODE_LRA.rawValue | EBUR128_MODE_TRUE_PEAK.rawValue
    state = attacca_ebur128_init(UInt32(format.channelCount), UInt(format.sampleRate), Int32(mode))
    require(state != nil, "no memory for a loudness meter of \(format)")
    setSpeakers()
  }

  deinit { if state != nil { attacca_ebur128_destroy(&state) } }

  /// Adds `frameCount` interleaved frames of `format`, which may be another one than before.
  public func add(
    _ samples: UnsafePointer<Float>, frameCount: Int, format: AudioFormat
  ) {
    if format != self.format { change(to: format) }
    let result = attacca_ebur128_add_frames_float(state, samples, frameCount)
    require(result == 0, "no memory for measuring loudness")
  }

  private func change(to new: AudioFormat) {
    earlierPeak = truePeak
    let result = attacca_ebur128_change_parameters(
      state, UInt32(new.channelCount), UInt(new.sampleRate))
    require(
      result == 0 || result == EBUR128_ERROR_NO_CHANGE.rawValue,
      "no memory for a loudness meter of \(new)")
    format = new
    setSpeakers()
  }

  /// BS.1770: what stands at the side counts 1.41 times, the low frequencies not at all.
  private func setSpeakers() {
    let hasSides = format.layout.firstIndex(of: .sideLeft) != nil
    for (channel, speaker) in format.layout.speakers.enumerated() {
      let place =
        switch speaker {
        case .mono, .frontCenter: EBUR128_CENTER
        case .frontLeft, .frontLeftOfCenter: EBUR128_LEFT
        case .frontRight, .frontRightOfCenter: EBUR128_RIGHT
        case .lowFrequency: EBUR128_UNUSED
        case .sideLeft: EBUR128_Mp090
        case .sideRight: EBUR128_Mm090
        // Without speakers at the sides those behind are the surround channels of 5.1.
        case .backLeft: hasSides ? EBUR128_Mp135 : EBUR128_LEFT_SURROUND
        case .backRight: hasSides ? EBUR128_Mm135 : EBUR128_RIGHT_SURROUND
        case .backCenter: EBUR128_Mp180
        }
      attacca_ebur128_set_channel(state, UInt32(channel), Int32(place.rawValue))
    }
  }

  private var truePeak: Double {
    (0..<format.channelCount).reduce(earlierPeak) { highest, channel in
      var peak = 0.0
      attacca_ebur128_true_peak(state, UInt32(channel), &peak)
      return max(highest, peak)
    }
  }

  /// Loudness of all that was added.
  public var measured: MeasuredLoudness { Self.measured(together: [self]) }

  /// Loudness of what several meters were given, as one: of an album.
  ///
  /// - Precondition: at least one meter.
  public static func measured(together meters: [LoudnessMeter]) -> MeasuredLoudness {
    require(!meters.isEmpty, "the loudness of nothing")
    var states = meters.map(\.state)
    var (integrated, range) = (0.0, 0.0)
    attacca_ebur128_loudness_global_multiple(&states, states.count, &integrated)
    attacca_ebur128_loudness_range_multiple(&states, states.count, &range)
    return MeasuredLoudness(
      integrated: integrated.isFinite ? integrated : nil, range: range.isFinite ? range : 0,
      truePeak: meters.reduce(0) { max($0, $1.truePeak) })
  }
}
