// SPDX-License-Identifier: Apache-2.0

package import Dispatch

/// The state shared by converters that have several threads at work: the threads, memory, and what is known
/// of soxr's periods.
///
/// Belongs to the thread that converts.
package final class ParallelConversion {
  private let queue: DispatchQueue
  /// Blocks that may be under way at a time.
  let blockLimit: Int
  let pool = FramePool()
  private var periods: [Key: ConverterPeriod?] = [:]

  private struct Key: Hashable {
    let from: Int
    let to: Int
    let quality: RateConverter.Quality
  }

  /// Samples of a block, at least.
  private let blockSamples: Int

  /// `queue` is concurrent; `threads` of its threads have work at a time.
  package init(queue: DispatchQueue, threads: Int, blockSamples: Int) {
    (self.queue, self.blockSamples, blockLimit) = (queue, blockSamples, threads + 1)
  }

  func perform(_ job: @escaping @Sendable () -> Void) { queue.async(execute: job) }

  /// A converter whose blocks are converted on the queue; nil where its bits would not be those of a
  /// `RateConverter`.
  func converter(
    from rate: Int, to output: AudioFormat, quality: RateConverter.Quality
  ) -> (any FrameConverter)? {
    let key = Key(from: rate, to: output.sampleRate, quality: quality)
    let known =
      periods[key] ?? ConverterPeriod(from: rate, to: output.sampleRate, quality: quality)
    periods[key] = .some(known)
    guard let period = known else { return nil }
    let length = period.input * output.channelCount
    let periods = (blockSamples + length - 1) / length
    return ParallelRateConverter(
      from: rate, to: output.sampleRate, channelCount: output.channelCount, quality: quality,
      period: period, periodsPerBlock: periods, shared: self)
  }
}
