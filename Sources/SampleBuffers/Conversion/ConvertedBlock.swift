// SPDX-License-Identifier: Apache-2.0

import Preconditions
internal import Dispatch
internal import Synchronization

/// One block on its way through a converter of its own.
final class ConvertedBlock: @unchecked Sendable {
  // @unchecked: `input`'s memory is only read; `output`'s and `converted` belong to the thread that
  // converts until `done` is set, and from then on to the one that made the block.
  private let input: FrameStorage
  private let frameCount: Int
  let output: FrameStorage
  private let skip: Int
  private let yield: Int?
  private(set) var converted = 0
  private let done = Atomic<Bool>(false)
  private let finished = DispatchGroup()

  /// Frames that go in and come out in one go: they stay in the processor's cache.
  private static let pieceFrames = 4_096

  /// `frameCount` frames in `input`; of what comes out the first `skip` frames are dropped and
  /// `yield` are kept, or all that follow and what silence behind them brings.
  init(input: FrameStorage, frameCount: Int, output: FrameStorage, skip: Int, yield: Int?) {
    (self.input, self.frameCount, self.output) = (input, frameCount, output)
    (self.skip, self.yield) = (skip, yield)
    finished.enter()
  }

  var isDone: Bool { done.load(ordering: .acquiring) }

  func wait() {
    if !isDone { finished.wait() }
  }

  /// Converts; called once, on any thread.
  func convert(by converter: RateConverter, channelCount: Int) {
    var pushed = 0
    var skipped = 0
    while pushed < frameCount {
      let count = min(Self.pieceFrames, frameCount - pushed)
      converter.push(input.samples + pushed * channelCount, frameCount: count)
      pushed += count
      if pushed == frameCount && yield == nil { converter.end() }
      while skipped < skip {
        let count = converter.pull(into: output.samples, frameCount: skip - skipped)
        if count == 0 { break }
        skipped += count
      }
      while skipped == skip, converted < capacity(channelCount) {
        let count = converter.pull(
          into: output.samples + converted * channelCount,
          frameCount: capacity(channelCount) - converted)
        if count == 0 { break }
        converted += count
      }
    }
    require(
      converted == yield ?? converted, "\(converted) of \(yield ?? 0) frames of a block")
    done.store(true, ordering: .releasing)
    finished.leave()
  }

  private func capacity(_ channelCount: Int) -> Int { yield ?? output.capacity / channelCount }
}
