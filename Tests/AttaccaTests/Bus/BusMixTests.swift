// SPDX-License-Identifier: Apache-2.0

import Attacca
import CAllocationCounter
import MediaTime
@testable import Rendering
import TestSeeds
import Testing

@Suite struct BusMixTests {
  private func mixed(_ mix: borrowing BusMix, _ range: Range<StreamFrame>) -> [Float] {
    var out = [Float](repeating: .nan, count: range.count * mix.channelCount)
    out.withUnsafeMutableBufferPointer {
      mix.mix(from: range.lowerBound, frames: range.count, into: $0.baseAddress!)
    }
    return out
  }

  private func sound(
    _ sample: @escaping (StreamFrame) -> Float
  ) -> (UnsafeMutablePointer<Float>, StreamFrame, Int) -> Void {
    { target, frame, count in for i in 0..<count { target[i] = sample(frame + i) } }
  }

  /// Random writes against arrays that are rewritten as a device would be.
  @Test(arguments: 0..<10)
  func `the sum is that of what each lane was given last`(_ round: Int) {
    let seed = UInt64.random(in: 0...(.max))
    var random = SplitMix64(seed: seed)
    var mix = BusMix(format: AudioFormat(sampleRate: 48_000, layout: .mono), laneCapacity: 6_000)
    let length = 20_000
    var model = [[Float]](repeating: [Float](repeating: 0, count: length), count: 5)
    for _ in model { _ = mix.addLane() }
    var heard = 0
    for _ in 0..<200 {
      let lane = Int.random(in: 0..<5, using: &random)
      let first = heard + Int.random(in: 0..<1_500, using: &random)
      let last = first + Int.random(in: 0..<1_500, using: &random)
      guard last < length - 3_000 else { break }
      let range = StreamFrame(Int64(first))..<StreamFrame(Int64(last))
      let known = StreamFrame(Int64(heard))
      for frame in first..<length { model[lane][frame] = 0 }
      if Bool.random(using: &random) {
        let factor = Float.random(in: -1...1, using: &random)
        mix.write(range, of: lane, heard: known, render: sound { Float($0.number) * factor })
        for frame in first..<last { model[lane][frame] = Float(frame) * factor }
      } else {
        mix.writeSilence(range, of: lane, heard: known)
      }
      let expected = (heard..<heard + 3_000).map { frame in
        model.dropFirst().reduce(model[0][frame]) { $0 + $1[frame] }
      }
      let from = StreamFrame(Int64(heard))
      let heardNow = mixed(mix, from..<(from + 3_000))
      #expect(heardNow == expected, "seed \(seed)")
      heard += Int.random(in: 0..<300, using: &random)
    }
  }

  @Test func `the device starts with the first voice and stops with the last`() {
    var mix = BusMix(format: AudioFormat(sampleRate: 48_000, layout: .mono), laneCapacity: 1_000)
    let (a, b) = (mix.addLane(), mix.addLane())
    var orders = [mix.takeOrders(read: 0)]
    mix.start(a)
    mix.write(0..<100, of: a, heard: 0, render: sound { _ in 1 })
    orders.append(mix.takeOrders(read: 0))
    mix.start(b)
    mix.write(50..<80, of: b, heard: 0, render: sound { _ in 1 })
    // As far as the other one has given, or that would be cut off.
    orders.append(mix.takeOrders(read: 40))
    mix.stop(a, after: 90)
    orders.append(mix.takeOrders(read: 40))
    mix.stop(b, after: 80)
    orders.append(mix.takeOrders(read: 40))
    // It goes on after all.
    mix.start(b)
    orders.append(mix.takeOrders(read: 45))
    #expect(
      orders == [
        .init(), .init(starts: true, write: 0..<100), .init(write: 50..<100), .init(),
        .init(stopAfter: 90), .init(starts: true),
      ])
    let isDue = [StreamFrame](arrayLiteral: 89, 90, 91).map { mix.stopIfDue(a, heard: $0) }
    #expect(isDue == [false, true, false])
    mix.stop(b, after: 120)
    orders = [mix.takeOrders(read: 45)]
    // The device tells that one itself.
    let isTold = mix.stopIfDue(b, heard: 200)
    #expect(!isTold)
    mix.deviceStopped()
    let (transport, device) = (mix.transport(of: b), mix.transport)
    #expect(transport == .stopped && device == .stopped)
    // One that is not heard stays so.
    mix.stop(b, after: 300)
    orders.append(mix.takeOrders(read: 200))
    // What is so short that it has ended before the device is told of it is heard all the same.
    mix.start(a)
    mix.stop(a, after: 310)
    orders.append(mix.takeOrders(read: 300))
    #expect(orders == [.init(stopAfter: 120), .init(), .init(starts: true, stopAfter: 310)])
  }

  @Test(arguments: 0..<10)
  func `frames above full scale are counted once each, when they have been heard`(_ round: Int) {
    let seed = UInt64.random(in: 0...(.max))
    var random = SplitMix64(seed: seed)
    var counted = ClippedFrames()
    var model = [Bool](repeating: false, count: 100_000)
    var (heard, expected) = (0, 0)
    while heard < 90_000 {
      let first = heard + Int.random(in: 0..<2_000, using: &random)
      let frames = Int.random(in: 1...200, using: &random)
      var samples = (0..<2 * frames).map { _ in Float.random(in: -1...1, using: &random) }
      for i in samples.indices where Int.random(in: 0..<40, using: &random) == 0 {
        samples[i] = [1, -1, Float(1).nextUp, -(Float(1).nextUp), 2].randomElement(using: &random)!
      }
      for n in 0..<frames {
        model[first + n] = abs(samples[2 * n]) > 1 || abs(samples[2 * n + 1]) > 1
      }
      counted.mark(
        samples, channelCount: 2, from: StreamFrame(Int64(first)), frames: frames,
        exceeds: samples.contains { abs($0) > 1 })
      let next = heard + Int.random(in: 0..<100, using: &random)
      expected += (heard..<next).count { model[$0] }
      heard = next
      counted.count(before: StreamFrame(Int64(heard)))
      let found = counted.count
      #expect(found == expected, "seed \(seed)")
    }
  }

  @Test(.enabled(if: allocations_on_this_thread() >= 0))
  func `mixing allocates and frees nothing`() {
    var mix = BusMix(format: BusPlayback.format, laneCapacity: 4_801)
    for i in 0..<3 {
      let lane = mix.addLane()
      mix.write(0..<4_000, of: lane, heard: 0) { target, _, count in
        target.update(repeating: Float(i), count: 2 * count)
      }
    }
    // The second is softer while the first sounds, and goes down in what is mixed below.
    let rule = BusDucking.Rule(
      trigger: 0, gain: 0, attack: RationalTime(frames: 1_000, rate: 48_000))
    mix.duck([1], by: rule, at: 1_000, heard: 0)
    var out = [Float](repeating: 0, count: 2 * 6_000)
    var counts: [Int] = []
    counts.reserveCapacity(4)
    out.withUnsafeMutableBufferPointer { out in
      // The first time warms up.
      for _ in 0..<2 {
        counts.removeAll(keepingCapacity: true)
        for frames in stride(from: 1, to: 6_000, by: 1_733) {
          let before = allocations_on_this_thread()
          mix.mix(from: 900, frames: frames, into: out.baseAddress!)
          counts.append(allocations_on_this_thread() - before)
        }
      }
    }
    #expect(counts == [0, 0, 0, 0])
    #expect(out[0] == 3 && out[2 * 600] == 2.5 && out[2 * 2_000] == 2)
  }
}
