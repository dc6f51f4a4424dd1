// SPDX-License-Identifier: Apache-2.0

import Attacca
import MediaTime
@testable import Rendering
import TestSeeds
import Testing

/// A line under random operations against `LineModel`, which says what each stream frame must be.
@Suite struct RenderLineModelTests {
  private static let capacity = 61

  @Test(arguments: 1...40) func `every stream frame is what the operations so far say`(
    seed: UInt64
  ) {
    var random = SplitMix64(seed: seed)
    var line = RenderLine(channelCount: 1, capacity: Self.capacity, rate: 48_000)
    var model = LineModel()
    var next = 1
    func fresh(_ count: Int) -> [Float] {
      defer { next += count }
      return ramp(next, count)
    }
    for step in 0..<600 {
      // Up to where nothing can be replaced any more: what an operation finds with the device.
      let wanted = model.position + Int.random(in: 0...9, using: &random)
      let isRunning = model.transport == .running
      let k = isRunning ? min(wanted, max(model.position, model.streamEnd)) : wanted
      if isRunning {
        #expect(
          line.rendered(model.position..<k) == model.sound(upTo: k), "seed \(seed), step \(step)")
        line.wrote(upTo: k)
        line.heard(k - Int.random(in: 0...5, using: &random))
      }
      model.play(upTo: k)
      if isRunning && k < wanted {
        line.stall()
        model.stall()
      }
      let operation = Int.random(in: 0..<20, using: &random)
      switch operation {
      case 0...9:
        let samples = fresh(.random(in: 1...12, using: &random))
        let media = model.contentEnd + Int.random(in: -3...3, using: &random)
        guard line.room >= samples.count + 3 else { continue }
        #expect(line.append(samples, media: media) == samples.count)
        model.append(samples, media: media)
      case 10, 11:
        line.start(at: k, fade: 0)
        model.start(at: k, media: nil)
      case 12:
        let media = model.media + Int.random(in: 0...20, using: &random)
        line.start(at: k, media: media, fade: 0)
        model.start(at: k, media: media)
      case 13, 14:
        #expect(line.stop(at: k, fade: 0) == k)
        model.stop()
      case 15:
        let samples = fresh(.random(in: 1...20, using: &random))
        let media = TimelineFrame(.random(in: 0...1_000, using: &random))
        guard line.room >= samples.count + 9 else { continue }
        line.replace(from: k, with: staged(samples, media: media), fade: 0)
        model.replace(samples, media: media)
      case 16, 17:
        let media = model.media + Int.random(in: (isRunning ? -2 : 0)...40, using: &random)
        let isCut = line.cut(fromMedia: media, replaceableFrom: k)
        #expect(isCut == model.cut(fromMedia: media), "seed \(seed), step \(step)")
      case 18:
        #expect(line.fadeOutForGood(at: k, fade: 0) == k)
        line.drop()
        model.flush()
      default:
        let gain: Float = [0, 0.5, 1, 2].randomElement(using: &random)!
        line.setVolume(gain, at: k, length: 0)
        model.setVolume(gain)
      }
      #expect(line.transport == model.transport, "seed \(seed), step \(step), \(operation)")
      #expect(line.contentEnd == model.contentEnd, "seed \(seed), step \(step), \(operation)")
    }
  }
}
