// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import TestFixtures
import Testing

/// A player of ramps at their own rate, whose frames name themselves, in either direction.
struct ReversedPlayback {
  let offline: OfflinePlayback
  var player: SampleBufferPlayer { offline.player }

  init(_ paths: [String]) {
    let decoder = DecoderWatchdog { (path: String) throws(SoundFileError) in
      try RampSource(path: path)
    }
    offline = OfflinePlayback(
      paths, format: AudioFormat(sampleRate: RampSource.rate, layout: .mono), decoder: decoder)
    player.renderer.audioTimePitchAlgorithm = .varispeed
  }

  func pull(_ frames: Int) -> [Float] { offline.pull(frames) }

  func pullToEnd() -> [Float] { offline.pullToEnd() }

  /// Sets a rate, and waits until that is what is heard next.
  func turn(to rate: Double) {
    player.rate = rate
    offline.settle()
  }

  /// Whole items, by number and length.
  func forward(_ items: [(number: Int, length: Int)]) -> [Float] {
    items.flatMap { item in (0..<item.length).map { RampSource.sample(item.number, $0) } }
  }

  /// Whole items, each from its last frame to its first one.
  func reversed(_ items: [(number: Int, length: Int)]) -> [Float] {
    items.flatMap { item in
      (0..<item.length).reversed().map { RampSource.sample(item.number, $0) }
    }
  }

  /// Asserts that `heard` is item `number` from frame `frame` down; the first `skipped` frames are a
  /// fade's.
  func expect(
    _ heard: some Collection<Float>, isItem number: Int, downFrom frame: Int, skipping skipped: Int,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let wanted = (0..<heard.count).map { RampSource.sample(number, frame - $0) }
    expect(heard, is: wanted, skipping: skipped, sourceLocation)
  }

  /// The same for frames that go up from `frame`.
  func expect(
    _ heard: some Collection<Float>, isItem number: Int, upFrom frame: Int, skipping skipped: Int,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let wanted = (0..<heard.count).map { RampSource.sample(number, frame + $0) }
    expect(heard, is: wanted, skipping: skipped, sourceLocation)
  }

  private func expect(
    _ heard: some Collection<Float>, is wanted: [Float], skipping skipped: Int,
    _ location: SourceLocation
  ) {
    let wrong = zip(heard, wanted).enumerated().dropFirst(skipped).first { $1.0 != $1.1 }
    let cause = wrong.map { "frame \($0.offset) is \($0.element.0), not \($0.element.1)" } ?? ""
    #expect(wrong == nil, "\(cause)", sourceLocation: location)
  }
}
