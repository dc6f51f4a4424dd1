// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Dispatch
@testable import Rendering
import TestFixtures
import TestSeeds
import Testing

/// Media time of single voices of a bus: running on where one has nothing, and volumes by it.
@Suite struct BusVoiceTimeTests {
  /// `count` frames that name themselves from `first` on, in the right channel.
  private func frames(_ first: Int, _ count: Int) -> [Float] {
    (first..<(first + count)).flatMap { [0, Float($0 + 1)] }
  }

  private func enqueue(_ samples: [Float], at frame: Int64, to renderer: AudioRenderer) {
    renderer.enqueue(
      SampleBuffer(
        samples: samples, format: BusPlayback.format,
        at: MediaTime(value: frame, timescale: 48_000)))
  }

  private func runningOn(_ playback: BusPlayback) -> (AudioRenderer, RenderSynchronizer) {
    let (renderer, synchronizer) = (playback.bus.makeRenderer(), RenderSynchronizer())
    synchronizer.fade = .none
    synchronizer.whenDry = .runsOn
    synchronizer.addRenderer(renderer)
    return (renderer, synchronizer)
  }

  @Test(arguments: [0, 128])
  func
    `a voice that runs on has its gap to the frame, and what comes late is trimmed, beside another`(
      latency: Int
    )
  {
    let playback = BusPlayback()
    if latency > 0 { playback.bus.effects = [DelayEffect(latency: latency)] }
    let music = playback.makePlayer([GeneratorSource.numbers(in: 0)])
    playback.play(music)
    var heard = playback.pull(1_000)
    let (voice, synchronizer) = runningOn(playback)
    enqueue(frames(0, 48_000), at: 0, to: voice)
    synchronizer.rate = 1
    heard += playback.pull(48_000 + 24_000)
    enqueue(frames(72_000, 10_000), at: 72_000, to: voice)
    heard += playback.pull(20_007)
    // A third of it is too late.
    enqueue(frames(82_000, 30_000), at: 82_000, to: voice)
    heard += playback.pull(30_000)
    #expect(voice.underrunCount == 0)
    let begin = 1_000 + latency
    let time = synchronizer.currentTime().seconds * 48_000
    #expect(Int(time.rounded()) == heard.count / 2 - begin)
    let late = 1_000 + 72_000 + 20_007
    let expected = (0..<(heard.count / 2)).map { frame -> Float in
      let media = frame - begin
      let isThere =
        (0..<48_000).contains(media) || (72_000..<82_000).contains(media)
        || (frame >= late + latency && media < 112_000)
      return isThere ? Float(media + 1) : 0
    }
    #expect(firstDifference(channel(1, of: heard), expected) == nil)
    let music1 = (0..<(heard.count / 2)).map { Float(max(0, $0 + 1 - latency)) }
    #expect(firstDifference(channel(0, of: heard), music1) == nil)
  }

  @Test func `rendering to the end waits for what a voice that runs on is still to be given`() {
    let playback = BusPlayback()
    let (voice, synchronizer) = runningOn(playback)
    enqueue(frames(0, 10_000), at: 0, to: voice)
    synchronizer.rate = 1
    nonisolated(unsafe) var heard: [Float] = []
    let bus = playback.bus
    let (first, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    DispatchQueue(label: "pull").async {
      bus.renderToEnd(frames: 1_000) {
        heard += $0
        if heard.count == 20_000 { first.signal() }
      }
      done.signal()
    }
    #expect(first.wait(timeout: .now() + 20) == .success)
    enqueue(frames(10_000, 10_000), at: 10_000, to: voice)
    voice.finishEnqueuing()
    #expect(done.wait(timeout: .now() + 20) == .success)
    #expect(firstDifference(heard, frames(0, 20_000)) == nil)
  }

  @Test(arguments: [1, 0.5, -1])
  func `a volume ramp of one voice is right to the frame after seeks, and leaves the other alone`(
    rate: Double
  ) {
    let seed = UInt64.random(in: 0...(.max))
    var random = SplitMix64(seed: seed)
    let playback = BusPlayback()
    let music = playback.makePlayer([GeneratorSource.numbers(in: 0)])
    let ones = GeneratorSource(
      name: "ones", format: BusPlayback.format, frameCount: 20 * 48_000
    ) { samples, _ in
      for i in samples.indices { samples[i] = i % 2 == 0 ? 0 : 1 }
    }
    var automation = VolumeAutomation()
    automation.setVolumeRamp(
      fromStartVolume: 0.25, toEndVolume: 1,
      timeRange: MediaTimeRange(
        start: MediaTime(value: 5, timescale: 1), duration: MediaTime(value: 10, timescale: 1)))
    let voice = SampleBufferPlayer(renderer: playback.bus.makeRenderer(), fade: .none)
    voice.renderer.audioTimePitchAlgorithm = .varispeed
    voice.playlist.append(PlaylistItem(ones, volumeAutomation: automation))
    voice.defaultRate = rate
    playback.play(music)
    playback.play(voice)
    // A turn is a splice, too, and not the one that the first seek waits for.
    wait { voice.serializer.isSettled }
    var heard = playback.pull(1_000)
    for _ in 0..<12 {
      let before = voice.renderer.publishedMap.read().last.traversal
      let frame = Int64.random(in: 96_000..<(18 * 48_000), using: &random)
      voice.seek(to: MediaTime(value: frame, timescale: 48_000))
      wait { voice.renderer.publishedMap.read().last.traversal != before }
      wait { voice.serializer.isSettled }
      let first = heard.count / 2
      heard += playback.pull(5_000)
      var farthest = 0.0
      for n in 0..<5_000 {
        // Backwards the frame before the one that is sought is heard first.
        let media = Double(frame) + (rate < 0 ? -1 : 0) + rate * Double(n)
        let time = media / 48_000
        let volume = time < 5 ? 1 : time < 15 ? 0.25 + 0.75 * (time - 5) / 10 : 1
        farthest = max(farthest, abs(Double(heard[2 * (first + n) + 1]) - volume))
      }
      // One frame of the ramp is 1.6e-6.
      #expect(farthest <= 2.6e-6, "seed \(seed), at \(frame)")
    }
    let expected = (1...(heard.count / 2)).map { Float($0) }
    #expect(firstDifference(channel(0, of: heard), expected) == nil, "seed \(seed)")
  }
}
