// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
@testable import Rendering
import TestFixtures
import Testing

/// Media time at other speeds than the natural one, on ramps that name the place they are heard from.
@Suite struct RateTests {
  private func playback(_ paths: [String]) -> OfflinePlayback {
    let decoder = DecoderWatchdog { (path: String) throws(SoundFileError) in
      try RampSource(path: path)
    }
    let playback = OfflinePlayback(
      paths, format: AudioFormat(sampleRate: RampSource.rate, layout: .mono), decoder: decoder)
    playback.renderer.audioTimePitchAlgorithm = .varispeed
    return playback
  }

  /// How far in frames of an item its sounds may be off: its samples have a precision of 1/256.
  private static let tolerance: Float = 0.05

  /// Asserts that `heard` is item `number` from frame `frame` on, `step` frames a sample.
  private func expect(
    _ heard: some Collection<Float>, isItem number: Int, from frame: Double, step: Double,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let first = Double(RampSource.sample(number, 0))
    let wrong = heard.enumerated().first { i, sample in
      abs(Double(sample) - first - frame - step * Double(i)) > Double(Self.tolerance)
    }
    #expect(
      wrong == nil, "of \(heard.count) from \(frame)", sourceLocation: sourceLocation)
  }

  @Test(arguments: [0.25, 0.5, 0.8, 1, 1.25, 1.6, 2, 4])
  func `a list lasts as long as it says, and each frame is where it should be`(rate: Double) {
    let playback = playback(["ramp 1 4000", "ramp 2 3001"])
    playback.player.defaultRate = rate
    let heard = playback.playToEnd()
    #expect(heard.count == Int((7_001 / rate).rounded()))
    // What lies around a joint is its filter's.
    let (first, last) = (Int(600 / rate), Int(3_400 / rate))
    expect(heard[first..<last], isItem: 1, from: Double(first) * rate, step: rate)
    let second = Int(4_600 / rate)
    expect(
      heard[second..<Int(6_400 / rate)], isItem: 2, from: Double(second) * rate - 4_000, step: rate)
    playback.settle()
    #expect(playback.player.rate == 0)
  }

  @Test(arguments: [0.5, 2.0, 1.6], [0.5, 1.0, 1.25, 4.0])
  func `another rate goes on from the frame that would have been heard`(
    from old: Double, to new: Double
  ) {
    let playback = playback(["ramp 1 16000"])
    playback.player.rate = old
    let before = playback.pull(2_000)
    playback.player.rate = new
    playback.settle()
    let after = playback.pull(1_500)
    let step = Double(RampSource.rate) / (Double(RampSource.rate) / old).rounded()
    expect(before[600...], isItem: 1, from: 600 * step, step: step)
    // Ten frames are the crossfade; the filter begins with what was decoded from there on.
    expect(after[400...], isItem: 1, from: 2_000 * step + 400 * new, step: new)
    // Nothing is repeated or left out on the way, and nothing clicks.
    let all = before[600...] + after
    let steps = zip(all, all.dropFirst()).map { Double($1 - $0) }
    #expect(steps.allSatisfy { $0 > 0 && $0 < 1.7 * max(step, new) })
    #expect(playback.player.synchronizer.timebase.rate == new)
  }

  @Test func `the playhead is the frame that is heard, at any rate`() {
    let playback = playback(["ramp 1 16000"])
    playback.player.rate = 2
    playback.settle()
    for _ in 0..<10 {
      let last = playback.pull(333)[332]
      playback.waitForCurrent("ramp 1 16000")
      let time = playback.player.currentTime
      #expect(
        abs(time.seconds * Double(RampSource.rate) - 2 - Double(last - RampSource.sample(1, 0)))
          < 0.05 || last < RampSource.sample(1, 600))
    }
    playback.player.rate = 0.5
    playback.settle()
    let last = playback.pull(1_000)[999]
    let frame = playback.player.currentTime.seconds * Double(RampSource.rate)
    #expect(abs(frame - 0.5 - Double(last - RampSource.sample(1, 0))) < 0.05)
  }

  @Test func `a rate set while paused is heard from the first frame on, and loses none`() {
    let playback = playback(["ramp 1 16000"])
    playback.player.play()
    _ = playback.pull(3_000)
    playback.player.pause()
    playback.settle()
    let fading = playback.pull(10)
    #expect(fading.count == 10)
    playback.player.rate = 2
    playback.settle()
    let after = playback.pull(2_000)
    // What went out is heard again coming in.
    expect(after[600...], isItem: 1, from: 3_000 + 600 * 2, step: 2)
    playback.player.pause()
    playback.settle()
    _ = playback.pull(10)
    playback.player.play()
    playback.settle()
    expect(playback.pull(2_000)[600...], isItem: 1, from: 7_000 + 600, step: 1)
  }

  @Test func `a seek at another rate goes where it was asked to`() {
    let playback = playback(["ramp 1 4000", "ramp 2 16000"])
    playback.player.rate = 2
    _ = playback.pull(500)
    playback.splicing { playback.player.jump(to: 1, offset: MediaTime(value: 4, timescale: 1)) }
    expect(playback.pull(1_500)[600...], isItem: 2, from: 8_000 + 1_200, step: 2)
  }

  @Test func `an edit at another rate leaves the frames of the list as it is now`() {
    let edited = playback(["ramp 1 4000", "ramp 2 4000"])
    edited.player.defaultRate = 1.25
    edited.player.play()
    var heard = edited.pull(1_000)
    edited.player.playlist.insert(PlaylistItem(path: "ramp 3 8000"), at: 1)
    edited.settle()
    heard += edited.pull(1_000)
    edited.player.playlist.remove(at: 2)
    edited.settle()
    heard += edited.pullToEnd()
    let whole = playback(["ramp 1 4000", "ramp 3 8000"])
    whole.player.defaultRate = 1.25
    let wanted = whole.playToEnd()
    let wrong = zip(heard, wanted).enumerated().first { $1.0 != $1.1 }?.offset
    #expect(wrong == nil)
    #expect(heard.count == wanted.count)
  }

  @Test func `play plays at the default rate, and a rate set outside is kept`() {
    let playback = playback(["ramp 1 16000"])
    let player = playback.player
    player.defaultRate = 1.25
    player.play()
    _ = playback.pull(100)
    #expect(player.rate == 1.25)
    player.synchronizer.rate = 2
    playback.settle()
    _ = playback.pull(100)
    let edit: Edit = player.seek(to: MediaTime(value: 1, timescale: 1))
    #expect(edit.identities.count == 1)
    playback.settle()
    #expect(player.rate == 2)
    player.pause()
    playback.settle()
    player.play()
    playback.settle()
    #expect(player.rate == 1.25)
  }

  // MARK: Without a player

  @Test(arguments: [0.5, 2.0, 3.0])
  func `what was enqueued already is made anew, and what is enqueued then follows it`(
    rate: Double
  ) {
    let line = PulledLine()
    line.renderer.audioTimePitchAlgorithm = .varispeed
    line.synchronizer.rate = 1
    func enqueue(_ second: Int) {
      line.renderer.enqueue(buffer(ramp(second * 48_000, 48_000), atFrame: Int64(second) * 48_000))
    }
    for second in 0..<3 { enqueue(second) }
    #expect(firstDifference(line.pull(24_000), ramp(0, 24_000)) == nil)
    line.synchronizer.rate = rate
    for second in 3..<8 { enqueue(second) }
    line.renderer.finishEnqueuing()
    var heard: [Float] = []
    line.renderer.renderToEnd { heard += $0 }
    // Some may be pulled before what was enqueued is made anew: at the old rate.
    let end = heard.count - 2_000
    let places = heard.indices.map { 384_000 - Double(heard.count - $0) * rate }
    let lastWrong = (0..<end).last { abs(Double(heard[$0]) - places[$0]) >= 0.1 }
    #expect(lastWrong ?? 0 < 20_000, "\(lastWrong.map { heard[$0] } ?? 0)")
  }
}
