// SPDX-License-Identifier: Apache-2.0

import MediaTime
@testable import Rendering
import SampleBuffers
import Testing

/// A recorder of a device that is given frames again before it is known whether that came too late.
@Suite struct TapRecorderTests {
  private static let piece = RenderMap.Piece(
    stream: 0, media: 0, rate: 48_000, isRunning: true, traversal: 0)

  /// What is told of frames 0 to 999, which were recorded as 1, replaced from 200 on by 2, and from 900 on by 3,
  /// behind a verdict.
  private func told(_ verdict: (inout TapRecorder) -> Void) -> [Float] {
    var recorder = TapRecorder(channelCount: 1, capacity: 2_000, reach: 600)
    record(0..<1_000, 1, &recorder)
    record(200..<1_000, 2, &recorder)
    record(900..<1_000, 3, &recorder)
    verdict(&recorder)
    var told: [Float] = []
    while let (stretch, storage) = recorder.take(before: 1_000, atMost: 1_000) {
      for i in 0..<stretch.frames.count { told.append(storage.samples[i]) }
    }
    return told
  }

  private func record(
    _ range: Range<StreamFrame>, _ sample: Float, _ recorder: inout TapRecorder
  ) {
    recorder.record(range, piece: Self.piece) { target, _, frames in
      target.update(repeating: sample, count: frames)
    }
  }

  private func samples(_ parts: [(Float, Int)]) -> [Float] {
    parts.flatMap { Array(repeating: $0.0, count: $0.1) }
  }

  /// The second one was kept in the place of the first: 1,920 frames were told that nobody had heard.
  @Test func `of two rewrites that came too late what the first one replaced was heard`() {
    #expect(told { $0.wasLate(upTo: 400) } == samples([(1, 400), (2, 500), (3, 100)]))
  }

  @Test func `two rewrites that came in time were heard`() {
    #expect(told { $0.wasInTime() } == samples([(1, 200), (2, 700), (3, 100)]))
  }

  @Test func `a rewrite behind a verdict has one of its own`() {
    let told = told { recorder in
      recorder.wasLate(upTo: 100)
      record(500..<1_000, 4, &recorder)
      recorder.wasLate(upTo: 600)
    }
    #expect(told == samples([(1, 200), (2, 400), (4, 400)]))
  }
}
