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

  /// The largest deviation of the middle of `heard` from `ideal`, in dBFS. The first and last
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
    #expect(deviation(heard, ideal) <= -90)
  }
}
