// SPDX-License-Identifier: Apache-2.0

import Preconditions
internal import CSampleRate

/// Converts interleaved Float32 frames at a ratio that may move while it does.
///
/// The first frame out lies on the first one in; each that follows lies 1 / ratio frames further. Where
/// the ratio is moved it goes there in a straight line, frame by frame, so that nothing is left out
/// and no step is heard. The filter withholds what it has not seen enough of, about 150 frames.
///
/// Not thread-safe: one thread at a time; after its creation it allocates nothing. The corresponding
/// library is libsamplerate; `RateConverter` is better where the ratio is fixed.
public final class VariableRateConverter {
  /// The frames that one call of `process` took in and made.
  public typealias Progress = (used: Int, made: Int)

  private let state: OpaquePointer

  /// A converter without history: silence came before its first frame.
  ///
  /// - Precondition: the channel count is positive.
  public init(channelCount: Int, quality: RateConverter.Quality = .veryHigh) {
    var error: Int32 = 0
    guard let state = src_new(quality.sinc, Int32(channelCount), &error) else {
      // Valid arguments leave one cause, "malloc failed", which traps elsewhere in Swift too.
      trap("src_new: \(Self.message(error))")
    }
    self.state = state
  }

  deinit { src_delete(state) }

  /// Sets the ratio, of frames out for one in, to `ratio` from the next frame on.
  ///
  /// - Precondition: it is from 1/256 to 256.
  public func setRatio(_ ratio: Double) { Self.check(src_set_ratio(state, ratio)) }

  /// Converts up to `inputCount` frames, nil for none, into up to `outputCount`, at the last of which
  /// the ratio is `ratio`; `isEnd` says that silence follows.
  public func process(
    _ input: UnsafePointer<Float>?, _ inputCount: Int,
    into output: UnsafeMutablePointer<Float>, _ outputCount: Int, ratio: Double, isEnd: Bool = false
  ) -> Progress {
    var data = SRC_DATA(
      data_in: input, data_out: output, input_frames: inputCount, output_frames: outputCount,
      input_frames_used: 0, output_frames_gen: 0, end_of_input: isEnd ? 1 : 0, src_ratio: ratio)
    Self.check(src_process(state, &data))
    return (data.input_frames_used, data.output_frames_gen)
  }

  private static func check(_ error: Int32) {
    require(error == 0, "libsamplerate: \(message(error))")
  }

  private static func message(_ error: Int32) -> String {
    src_strerror(error).map { String(cString: $0) } ?? "error \(error)"
  }
}

extension RateConverter.Quality {
  fileprivate var sinc: Int32 {
    switch self {
    case .quick, .low: Int32(SRC_SINC_FASTEST)
    case .medium: Int32(SRC_SINC_MEDIUM_QUALITY)
    case .high, .veryHigh: Int32(SRC_SINC_BEST_QUALITY)
    }
  }
}
