// SPDX-License-Identifier: Apache-2.0

import Attacca
import Foundation
import TestFixtures
import Testing

@Suite struct JointTests {
  private static let mono48 = AudioFormat(sampleRate: 48_000, layout: .mono)

  private func parts(_ folder: String) -> [String] {
    (1...9).map { Fixtures.path("joints/\(folder)/\($0).flac") }
      .filter { FileManager.default.fileExists(atPath: $0) }
  }

  /// The largest deviation from what should be heard, in dBFS.
  ///
  /// The first and last
  /// `edge` frames are the recording's own ends, where any filter rings.
  private func deviation(_ heard: [Float], _ ideal: [Float], edge: Int = 1_000) -> Double {
    var largest: Float = 0
    for i in edge..<(ideal.count - edge) { largest = max(largest, abs(heard[i] - ideal[i])) }
    return 20 * log10(Double(max(largest, .leastNormalMagnitude)))
  }

  @Test(arguments: ["tone", "dense"])
  func `files of one rate, converted, are as if never cut`(signal: String) throws {
    let paths = parts("\(signal)-44100")
    #expect(paths.count > 2)
    let uncut = Fixtures.path("joints/\(signal)-44100/uncut.flac")
    let cut = OfflinePlayback(paths, format: Self.mono48).playToEnd()
    #expect(firstDifference(cut, OfflinePlayback([uncut], format: Self.mono48).playToEnd()) == nil)
    let ideal = Array(try Fixtures.samples("joints/\(signal)-48000.flac")[..<cut.count])
    #expect(deviation(cut, ideal) <= -120)
  }

  @Test(arguments: ["tone", "dense"])
  func `files of different rates join without a trace`(signal: String) throws {
    let paths = parts("\(signal)-rates")
    #expect(paths.count == 5)
    let heard = OfflinePlayback(paths, format: Self.mono48).playToEnd()
    let ideal = try Fixtures.samples("joints/\(signal)-48000.flac")
    #expect(heard.count == ideal.count)
    #expect(deviation(heard, ideal) <= -100)
  }

  /// By how many frames of 48 kHz the 1 kHz tone in `samples`, which begins at frame `first`, is
  /// late; from its projection on sine and cosine over whole periods of 48 frames.
  private func lateness(_ samples: ArraySlice<Float>, first: Int) -> Double {
    var (sine, cosine) = (0.0, 0.0)
    for (i, sample) in samples.prefix(samples.count / 48 * 48).enumerated() {
      let angle = 2 * Double.pi * Double((first + i) % 48) / 48
      sine += Double(sample) * sin(angle)
      cosine += Double(sample) * cos(angle)
    }
    return -atan2(cosine, sine) * 48 / (2 * Double.pi)
  }

  /// The items of `tone-rates-between` and `dense-rates-between`.
  private static let between: [(frames: Int64, rate: Int)] = [
    (13_717, 44_100), (15_217, 48_000), (28_897, 96_000), (7_123, 22_050), (13_363, 44_100),
  ]

  @Test func `items cut between the stream's frames are off by no more than their grids allow`()
    throws
  {
    let heard = OfflinePlayback(parts("tone-rates-between"), format: Self.mono48).playToEnd()
    var start = RationalTime.zero
    var native = 0.0
    for (frames, rate) in Self.between {
      let end = start + RationalTime(frames: frames, rate: rate)
      let (first, last) = (Int(start.frames(at: 48_000)), Int(end.frames(at: 48_000)))
      let measured = lateness(heard[(first + 600)..<(last - 600)], first: first + 600)
      if rate == 48_000 {
        // On the nearest frame: half a frame off at most, and by exactly what rounding tells.
        native = -start.phase(at: 48_000)
        #expect(abs(native) <= 0.5)
        #expect(abs(measured - native) < 1e-4)
      } else {
        // They keep the native item's phase, to half a step of their own grids: 44.1 and 22.05 kHz
        // make steps of 1/147 frame, 96 kHz of half a frame.
        let step = rate == 96_000 ? 1.0 / 2 : 1.0 / 147
        #expect(abs(measured - native) <= step / 2 + 1e-4)
        // What is heard deviates by just that delay of the tone: the joints add nothing to it.
        let predicted = 20 * log10(2 * 0.5 * abs(sin(.pi * 1_000 * measured / 48_000)) + 1e-6)
        // The recording's own ends ring, as any file's do.
        let (from, to) = (first == 0 ? 600 : first, last == heard.count ? last - 600 : last)
        let ideal = (from..<to).map {
          Float(0.5 * sin(2 * Double.pi * Double($0 % 48) / 48))
        }
        let deviation = deviation(Array(heard[from..<to]), ideal, edge: 0)
        #expect(deviation <= predicted + 0.5)
      }
      start = end
    }
    #expect(heard.count == Int(start.frames(at: 48_000)))
  }

  /// `ideal` `delay` frames later in frames `range`, by a sinc of 128 frames under Blackman's window,
  /// which is exact to −110 dB below 0.45 of the rate; beyond its ends it is silent.
  private func delayed(_ ideal: [Float], by delay: Double, _ range: Range<Int>) -> [Float] {
    let half = 64
    let taps = (-half...half).map { k in
      let x = Double(k) - delay
      let window = 0.42 + 0.5 * cos(.pi * x / Double(half)) + 0.08 * cos(2 * .pi * x / Double(half))
      return Float((x == 0 ? 1 : sin(.pi * x) / (.pi * x)) * (abs(x) > Double(half) ? 0 : window))
    }
    return taps.withUnsafeBufferPointer { taps in
      ideal.withUnsafeBufferPointer { ideal in
        range.map { n in
          var sum: Float = 0
          for k in max(-half, n - ideal.count + 1)...min(half, n) {
            sum += taps[k + half] * ideal[n - k]
          }
          return sum
        }
      }
    }
  }

  @Test func `a dense signal cut between the stream's frames is only as late as a tone cut there`()
    throws
  {
    let tone = OfflinePlayback(parts("tone-rates-between"), format: Self.mono48).playToEnd()
    let heard = OfflinePlayback(parts("dense-rates-between"), format: Self.mono48).playToEnd()
    let ideal = try Fixtures.samples("joints/dense-48000.flac")
    var start = RationalTime.zero
    for (frames, rate) in Self.between {
      let end = start + RationalTime(frames: frames, rate: rate)
      let (first, last) = (Int(start.frames(at: 48_000)), Int(end.frames(at: 48_000)))
      let late = lateness(tone[(first + 600)..<(last - 600)], first: first + 600)
      // The recording's own ends ring, as any file's do.
      let (from, to) = (first == 0 ? 1_000 : first, last == heard.count ? last - 1_000 : last)
      let predicted = delayed(ideal, by: late, from..<to)
      // Joints included: measured −113 dBFS at them, −127 away from them.
      #expect(deviation(Array(heard[from..<to]), predicted, edge: 0) <= -100)
      start = end
    }
    #expect(heard.count == Int(start.frames(at: 48_000)))
  }
}
