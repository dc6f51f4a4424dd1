// SPDX-License-Identifier: Apache-2.0

import Preconditions

/// Converts block after block, several at a time, to the bits of one uninterrupted `RateConverter`.
///
/// A block is some `ConverterPeriod`s long and is converted by a converter of its own, which begins
/// with it. What that gives at first has silence in it: it is dropped, and the block before goes on
/// for as long.
final class ParallelRateConverter: FrameConverter {
  private let from: Int
  private let to: Int
  private let channelCount: Int
  private let quality: RateConverter.Quality
  private let shared: ParallelConversion
  private let period: ConverterPeriod
  /// Input frames from the begin of a block to that of the next one.
  private let step: Int
  /// Output frames that a block yields.
  private let yield: Int
  /// Samples of each piece of memory, for input and output alike.
  private let capacity: Int

  /// Input of the block that is being gathered.
  private var input: FrameStorage
  private var filled = 0
  private var isFirst = true
  private var hasEnded = false
  /// Blocks under way or not pulled to their end, in order.
  private var blocks: [ConvertedBlock] = []
  /// Frames of the first of them that were pulled.
  private var pulled = 0

  init(
    from: Int, to: Int, channelCount: Int, quality: RateConverter.Quality,
    period: ConverterPeriod, periodsPerBlock: Int, shared: ParallelConversion
  ) {
    (self.from, self.to, self.channelCount, self.quality) = (from, to, channelCount, quality)
    (self.period, self.shared) = (period, shared)
    step = period.input * periodsPerBlock
    yield = period.output * periodsPerBlock
    let tail = (period.unsettledInput * to + from - 1) / from + 1
    let longest = max(step + period.unsettledInput, yield + tail)
    capacity = longest * channelCount
    input = shared.pool.take(samples: capacity)
  }

  func push(_ frames: UnsafePointer<Float>, frameCount: Int) {
    require(!hasEnded, "frames pushed after the end")
    var done = 0
    while done < frameCount {
      let count = min(frameCount - done, step + period.unsettledInput - filled)
      (input.samples + filled * channelCount).update(
        from: frames + done * channelCount, count: count * channelCount)
      filled += count
      done += count
      if filled == step + period.unsettledInput { convertBlock() }
    }
  }

  func end() {
    guard !hasEnded else { return }
    hasEnded = true
    convertBlock()
  }

  /// Has the gathered block converted, and begins the next one with its end.
  private func convertBlock() {
    let block = ConvertedBlock(
      input: input, frameCount: filled, output: shared.pool.take(samples: capacity),
      skip: isFirst ? 0 : period.unsettledOutput,
      yield: hasEnded ? nil : isFirst ? period.unsettledOutput + yield : yield)
    blocks.append(block)
    let (from, to, channelCount, quality) = (from, to, channelCount, quality)
    shared.perform {
      block.convert(
        by: RateConverter(from: from, to: to, channelCount: channelCount, quality: quality),
        channelCount: channelCount)
    }
    guard !hasEnded else { return }
    isFirst = false
    let next = shared.pool.take(samples: capacity)
    filled = period.unsettledInput
    next.samples.update(from: input.samples + step * channelCount, count: filled * channelCount)
    input = next
  }

  /// Waits where as many blocks are under way as may be, and at the end.
  func pull(into frames: UnsafeMutablePointer<Float>, frameCount: Int) -> Int {
    while let block = blocks.first {
      if hasEnded || blocks.count >= shared.blockLimit {
        block.wait()
      } else if !block.isDone {
        return 0
      }
      let count = min(frameCount, block.converted - pulled)
      if count > 0 {
        frames.update(
          from: block.output.samples + pulled * channelCount, count: count * channelCount)
        pulled += count
        return count
      }
      blocks.removeFirst()
      pulled = 0
    }
    return 0
  }
}
