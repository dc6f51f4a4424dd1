// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Foundation
import TestSeeds
import Testing

/// Bare renderers that are given whatever a caller may give them, in any order.
@Suite struct RandomEnqueuingTests {
  /// One renderer, and what it is given.
  private final class Run {
    private let renderer: OfflineRenderer
    private let synchronizer = RenderSynchronizer()
    private var random: SplitMix64
    /// Where the last buffer ended.
    private var end = RationalTime.zero
    private var looks = 0.0

    init(seed: UInt64) {
      random = SplitMix64(seed: seed)
      let rate = [8_000, 44_100, 48_000].randomElement(using: &random) ?? 48_000
      let layout = [ChannelLayout.mono, .stereo].randomElement(using: &random) ?? .mono
      renderer = OfflineRenderer(
        format: AudioFormat(sampleRate: rate, layout: layout),
        quality: [.high, .veryHigh].randomElement(using: &random) ?? .high)
      synchronizer.addRenderer(renderer)
      synchronizer.rate = 1
    }

    private func number(_ range: ClosedRange<Int64>) -> Int64 { .random(in: range, using: &random) }

    private func milliseconds(_ range: ClosedRange<Int64>) -> RationalTime {
      RationalTime(frames: number(range), rate: 1_000)
    }

    private func enqueue() {
      guard renderer.isReadyForMoreMediaData || number(0...9) == 0 else { return }
      let rate = [4_000, 8_000, 22_050, 44_100, 48_000, 96_000].randomElement(using: &random)
      let layout = [ChannelLayout.mono, .stereo].randomElement(using: &random)
      let format = AudioFormat(sampleRate: rate ?? 48_000, layout: layout ?? .mono)
      let count = Int(number(0...9) == 0 ? number(0...50) : number(0...Int64(format.sampleRate)))
      switch number(0...9) {
      case 0: end = end + milliseconds(0...6_000)
      case 1: end = end - milliseconds(0...500)
      case 2: end = end - RationalTime(frames: number(-1...1), rate: 2_000)
      default: break
      }
      let storage = FrameStorage(capacity: max(1, count * format.channelCount))
      storage.samples.update(repeating: 0.5, count: count * format.channelCount)
      let buffer = SampleBuffer(
        storage: storage, format: format, frameCount: count, time: end,
        trimAtStart: Int(number(0...Int64(count)) / 8))
      renderer.enqueue(buffer)
      end = buffer.endTime
    }

    @discardableResult
    private func pull(_ count: Int) -> Int {
      var samples = [Float](repeating: 0, count: count * renderer.format.channelCount)
      return samples.withUnsafeMutableBufferPointer {
        renderer.render(frames: count, into: $0.baseAddress!)
      }
    }

    /// About as far as is enqueued.
    private func somewhere() -> RationalTime {
      RationalTime(synchronizer.currentTime()) + milliseconds(-100...3_000)
    }

    private func mediaTime(_ time: RationalTime) -> MediaTime {
      MediaTime(value: max(0, time.frames(at: 48_000)), timescale: 48_000)
    }

    func step() {
      switch number(0...30) {
      case 0...14: enqueue()
      case 15...22: pull(Int(number(1...30_000)))
      case 23:
        end = somewhere()
        renderer.flush(fromSourceTime: mediaTime(end)) { _ in }
        if number(0...1) == 0 { end = end + milliseconds(0...5_000) }
      case 24:
        renderer.flush()
        end = somewhere()
      case 25...26:
        synchronizer.rate = [0.25, 0.5, 0.97, 1, 1.3, 2, 4].randomElement(using: &random) ?? 1
        if number(0...1) == 0 { wait { !renderer.isStale } }
      case 27:
        let time = somewhere()
        synchronizer.setRate([0, 1, 2].randomElement(using: &random) ?? 1, time: mediaTime(time))
      case 28: renderer.finishEnqueuing()
      case 29:
        renderer.audioTimePitchAlgorithm =
          [.varispeed, .timeDomain].randomElement(using: &random) ?? .varispeed
      default:
        looks += 2
        _ = renderer.steer(
          off: Double(number(-10...10)) / 1_000, time: looks, interval: 5)
      }
    }

    /// Plays what there is to its end.
    func finish() {
      renderer.finishEnqueuing()
      let time = max(RationalTime(synchronizer.currentTime()), end - milliseconds(0...900))
      synchronizer.setRate(4, time: mediaTime(time))
      wait {
        pull(48_000)
        return renderer.output.withLock {
          renderer.line.isFinished && renderer.lead == 0 && renderer.pendingBuffers == 0
            && !renderer.isPaceStale && !renderer.kept.isConverting
        }
      }
    }
  }

  @Test func `whatever is enqueued, flushed and played at any rate comes to its end`() {
    let seeds = SplitMix64()
    for seed in seeds.seed..<(seeds.seed + 40) {
      // Printed before: what goes wrong may end the process.
      print("random enqueuing, seed \(seed)")
      fflush(nil)
      let run = Run(seed: seed)
      for _ in 0..<80 { run.step() }
      run.finish()
    }
  }
}
