// SPDX-License-Identifier: Apache-2.0

internal import CSoXR
internal import MediaTime

/// After how many input frames a rate converter is, but for the sound in it, where it began.
///
/// soxr filters block by block in the frequency domain. A converter that begins later cuts its
/// blocks elsewhere, and rounds differently: in one frame of 164,000 from 44.1 to 48 kHz the Float32
/// differs too. One that begins whole periods later cuts the same blocks, and gives the same bits
/// once its own first blocks, which have silence in them, are over.
///
/// soxr does not tell its blocks, but how much comes out after which input frame does; what is found
/// so is tried out on noise before it is believed.
struct ConverterPeriod: Sendable {
  /// Input frames of a period.
  let input: Int
  /// Output frames of a period.
  let output: Int
  /// Output frames that a converter gives before it agrees with one that began periods earlier.
  let unsettledOutput: Int
  /// Input frames that it needs for as many.
  let unsettledInput: Int

  /// 12 s at 88.2 kHz; a converter whose period is longer is not worth cutting.
  private static let longest = 1 << 20
  /// Of larger terms of the ratio soxr makes an approximation, which does not repeat.
  private static let largestTerm = 1_024
  private static let observedBursts = 6

  /// Finds the period; nil where there is none that can be used.
  ///
  /// Takes 1 to 10 ms.
  init?(from rate: Int, to outputRate: Int, quality: RateConverter.Quality) {
    let divisor = greatestCommonDivisor(rate, outputRate)
    let (r, R) = (rate / divisor, outputRate / divisor)
    guard max(r, R) <= Self.largestTerm else { return nil }
    let bursts = Self.bursts(rate, outputRate, quality)
    guard bursts.count == Self.observedBursts else { return nil }
    unsettledInput = bursts[0].input + bursts[1].input
    unsettledOutput = bursts[0].output + bursts[1].output
    // The first stage filters in blocks, or the last one; where both do there is no telling.
    let steady = bursts.dropFirst()
    let period: Int
    if steady.allSatisfy({ $0.input == bursts[1].input }) {
      period = Self.leastCommonMultiple(bursts[1].input, r)
    } else if steady.allSatisfy({ $0.output == bursts[1].output }) {
      period = Self.leastCommonMultiple(bursts[1].output, R) / R * r
    } else {
      return nil
    }
    guard period <= Self.longest else { return nil }
    (input, output) = (period, period / r * R)
    guard repeats(rate, outputRate, quality) else { return nil }
  }

  /// Input frames since the burst before, and how many come out then.
  private static func bursts(
    _ rate: Int, _ outputRate: Int, _ quality: RateConverter.Quality
  ) -> [(input: Int, output: Int)] {
    let converter = DoubleConverter(from: rate, to: outputRate, quality: quality)
    let silence = [0.0]
    var (bursts, pushed): ([(input: Int, output: Int)], Int) = ([], 0)
    for _ in 0..<1 << 16 where bursts.count < observedBursts {
      pushed += 1
      var count = 0
      converter.convert(silence) { count += $0.count }
      guard count > 0 else { continue }
      bursts.append((pushed, count))
      pushed = 0
    }
    return bursts
  }

  /// Tells whether a converter that begins a period later gives the same doubles.
  private func repeats(
    _ rate: Int, _ outputRate: Int, _ quality: RateConverter.Quality
  ) -> Bool {
    var state = UInt64(rate)
    let noise = (0..<input + 3 * unsettledInput).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(Int64(bitPattern: state)) * 0x1p-64
    }
    let early = Self.converted(noise, rate, outputRate, quality)
    let late = Self.converted(Array(noise[input...]), rate, outputRate, quality)
    guard late.count > 2 * unsettledOutput, early.count == late.count + output else { return false }
    return early[(output + unsettledOutput)...] == late[unsettledOutput...]
  }

  private static func converted(
    _ samples: [Double], _ rate: Int, _ outputRate: Int, _ quality: RateConverter.Quality
  ) -> [Double] {
    let converter = DoubleConverter(from: rate, to: outputRate, quality: quality)
    var result: [Double] = []
    converter.convert(samples) { result += $0 }
    return result
  }

  private static func leastCommonMultiple(_ a: Int, _ b: Int) -> Int {
    a / greatestCommonDivisor(a, b) * b
  }
}

/// The converter behind `RateConverter`, of one channel, without the rounding to Float32.
private final class DoubleConverter {
  private let handle: OpaquePointer
  private var output = [Double](repeating: 0, count: 1 << 14)

  init(from: Int, to: Int, quality: RateConverter.Quality) {
    handle = RateConverter.makeHandle(
      from: from, to: to, channelCount: 1, quality: quality, sampleType: SOXR_FLOAT64_I)
  }

  deinit { soxr_delete(handle) }

  /// Takes in `samples`, and gives `body` all that can be had then.
  func convert(_ samples: [Double], _ body: (ArraySlice<Double>) -> Void) {
    var written = 0
    RateConverter.check(
      soxr_process(handle, samples, samples.count, nil, &output, output.count, &written))
    while written > 0 {
      body(output[..<written])
      // No input pointer would mean the end; any other with a length of 0 means nothing.
      RateConverter.check(
        soxr_process(handle, samples, 0, nil, &output, output.count, &written))
    }
  }
}
