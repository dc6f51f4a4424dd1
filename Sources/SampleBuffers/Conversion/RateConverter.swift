// SPDX-License-Identifier: Apache-2.0

import Preconditions
internal import CSoXR

/// Converts interleaved Float32 frames from one fixed rate to another.
///
/// Output frame 0 lies on input frame 0; *n* input frames give round(n · to / from) output frames
/// in all. The filter withholds output until it has seen what follows, a few hundred to a few
/// thousand frames. How the input is cut into pushes does not change a bit of the output.
///
/// Not thread-safe: one thread at a time; a converter starts no thread. After its first second a
/// converter allocates nothing. The corresponding library is soxr.
public final class RateConverter {
  /// The part of the spectrum that is kept, and the depth to which aliases are suppressed.
  public enum Quality: Sendable, Hashable, CaseIterable {
    /// Cubic interpolation, `SOXR_QQ`.
    case quick
    /// 16 bits with a larger rolloff, `SOXR_LQ`.
    case low
    /// 16 bits with a medium rolloff, `SOXR_MQ`.
    case medium
    /// 20 bits, `SOXR_HQ`.
    case high
    /// 28 bits, calculated in double precision, `SOXR_VHQ`.
    case veryHigh

    fileprivate var recipe: UInt {
      switch self {
      case .quick: UInt(SOXR_QQ)
      case .low: UInt(SOXR_LQ)
      case .medium: UInt(SOXR_MQ)
      case .high: UInt(SOXR_20_BITQ)
      case .veryHigh: UInt(SOXR_28_BITQ)
      }
    }
  }

  private let handle: OpaquePointer
  private let channelCount: Int
  private var hasEnded = false

  /// The largest ratio of two rates, 32,768 to 1 in either direction: `AudioFormat.highestSampleRate` at
  /// 32 times the speed to `AudioFormat.lowestOutputRate` is less.
  ///
  /// A filter takes memory and time by the ratio: 130 MB here.
  public static let largestRatio = 32_768

  /// A converter without history: silence came before its first frame.
  ///
  /// - Precondition: the rates and the channel count are positive, and one rate is at most
  ///   `largestRatio` times the other.
  public init(from: Int, to: Int, channelCount: Int, quality: Quality = .veryHigh) {
    require(
      from > 0 && to > 0 && channelCount > 0,
      "\(channelCount) channels from \(from) Hz to \(to) Hz; 1 and more are permitted")
    let ratio = Double(max(from, to)) / Double(min(from, to))
    require(
      ratio <= Double(Self.largestRatio),
      "from \(from) Hz to \(to) Hz: one is at most \(Self.largestRatio) times the other")
    handle = Self.makeHandle(
      from: from, to: to, channelCount: channelCount, quality: quality,
      sampleType: SOXR_FLOAT32_I)
    self.channelCount = channelCount
  }

  deinit { soxr_delete(handle) }

  /// A converter of interleaved samples of a type, to be deleted by the caller.
  static func makeHandle(
    from: Int, to: Int, channelCount: Int, quality: Quality, sampleType: soxr_datatype_t
  ) -> OpaquePointer {
    var error: soxr_error_t?
    var io = soxr_io_spec(sampleType, sampleType)
    // The clock of high precision counts only where no small ratio is found, as 44101 to 48000.
    // Without a rolloff of its own the passband is flat: at 18 kHz of 44.1 the default leaves an
    // error of -82 dB, this one of -187 (VHQ, into 48 kHz).
    var spec = soxr_quality_spec(quality.recipe, UInt(SOXR_HI_PREC_CLOCK | SOXR_ROLLOFF_NONE))
    var runtime = soxr_runtime_spec(1)
    let handle = soxr_create(
      Double(from), Double(to), UInt32(channelCount), &error, &io, &spec, &runtime)
    guard let handle, error == nil else {
      // Valid arguments leave one cause, "malloc failed", which traps elsewhere in Swift too.
      trap("soxr_create: \(error.map { String(cString: $0) } ?? "no reason given")")
    }
    return handle
  }

  /// Takes in `frameCount` frames at `frames`, all of them.
  ///
  /// - Precondition: `end()` was not called.
  public func push(_ frames: UnsafePointer<Float>, frameCount: Int) {
    require(!hasEnded, "frames pushed after the end")
    // A push of no frames would mean the end of the input.
    guard frameCount > 0 else { return }
    var written = 0
    // soxr 0.1.3 reads through a null output pointer even where it is to write nothing. This one it
    // does not touch.
    let untouched = UnsafeMutablePointer(mutating: frames)
    Self.check(soxr_process(handle, frames, frameCount, nil, untouched, 0, &written))
  }

  /// Says that silence follows: what is withheld can be pulled.
  public func end() {
    guard !hasEnded else { return }
    hasEnded = true
    var written = 0
    Self.check(soxr_process(handle, nil, 0, nil, nil, 0, &written))
  }

  /// Writes up to `frameCount` converted frames to `frames` and returns how many; 0 where more
  /// input is needed, or at the end.
  public func pull(into frames: UnsafeMutablePointer<Float>, frameCount: Int) -> Int {
    guard frameCount > 0 else { return 0 }
    var written = 0
    // No input pointer means the end; any other with a length of 0 means nothing.
    let input: UnsafeRawPointer? = hasEnded ? nil : UnsafeRawPointer(frames)
    Self.check(soxr_process(handle, input, 0, nil, frames, frameCount, &written))
    return written
  }

  static func check(_ error: soxr_error_t?) {
    guard let error else { return }
    trap("soxr_process: \(String(cString: error))")
  }
}
