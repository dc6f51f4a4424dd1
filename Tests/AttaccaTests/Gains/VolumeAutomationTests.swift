// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Foundation
import MediaTime
@testable import Rendering
import TestFixtures
import TestSeeds
import Testing

/// Volumes by media time, against the same playing without them times what the formula says.
@Suite struct VolumeAutomationTests {
  private static func seconds(_ time: Double) -> MediaTime {
    MediaTime(value: Int64((time * 100).rounded()), timescale: 100)
  }

  /// 0.25 to 1 from 5 s to 15 s.
  private static var tenSeconds: VolumeAutomation {
    var automation = VolumeAutomation()
    automation.setVolumeRamp(
      fromStartVolume: 0.25, toEndVolume: 1,
      timeRange: MediaTimeRange(start: seconds(5), duration: seconds(10)))
    return automation
  }

  /// The same as a formula.
  private static func volume(_ time: Double) -> Double {
    time < 5 ? 1 : time < 15 ? 0.25 + 0.75 * (time - 5) / 10 : 1
  }

  private func source(_ name: String, rate: Int) -> GeneratorSource {
    GeneratorSource(
      name: name, format: AudioFormat(sampleRate: rate, layout: .mono),
      frameCount: Int64(20 * rate)
    ) { samples, frame in
      for i in samples.indices {
        samples[i] = sinf(Float((frame + Int64(i)) % 4_800) * .pi / 240) / 2 + 0.25
      }
    }
  }

  private func expectEqual(
    _ heard: [Float], _ plain: [Float], _ what: String, _ volume: (Int) -> Double
  ) {
    #expect(heard.count == plain.count, "\(what)")
    for n in 0..<min(heard.count, plain.count)
    where abs(Double(heard[n]) - Double(plain[n]) * volume(n)) > 1e-6 {
      Issue.record("\(what): \(heard[n]) at frame \(n), not \(plain[n]) · \(volume(n))")
      return
    }
  }

  @Test(arguments: [1, 0.5, 1.5, -1, -1.5], [48_000, 44_100])
  func `an item's ramp of 10 s is right to the frame after seeks, at any rate`(
    rate: Double, sampleRate: Int
  ) throws {
    let seed: UInt64 = 11
    var random = SplitMix64(seed: seed)
    let playbacks = [VolumeAutomation(), Self.tenSeconds].map { automation in
      let playback = OfflinePlayback(format: StepSource.format, fade: .none)
      playback.player.renderer.audioTimePitchAlgorithm = .varispeed
      playback.player.playlist.append(
        PlaylistItem(source("one", rate: sampleRate), volumeAutomation: automation))
      playback.player.defaultRate = rate
      playback.splicing { playback.player.jump(to: 0, offset: Self.seconds(4)) }
      playback.player.play()
      // A turn is a splice, too, and not the one that the first seek waits for.
      playback.settle()
      return playback
    }
    let frames = Double((48_000 / abs(rate)).rounded())
    for step in 0..<12 {
      let place = Double(Int.random(in: 450...1_550, using: &random)) / 100
      for playback in playbacks {
        playback.splicing { playback.player.seek(to: Self.seconds(place)) }
      }
      let count = Int.random(in: 1...30_000, using: &random)
      let (plain, heard) = (playbacks[0].pull(count), playbacks[1].pull(count))
      expectEqual(heard, plain, "step \(step), seed \(seed)") { n in
        Self.volume(rate > 0 ? place + Double(n) / frames : place - Double(n + 1) / frames)
      }
    }
  }

  @Test(arguments: [1, -1, 0.5]) func `a whole ramp of 10 s is the formula's`(rate: Double) {
    let playbacks = [VolumeAutomation(), Self.tenSeconds].map { automation in
      let playback = OfflinePlayback(format: StepSource.format, fade: .none)
      playback.player.renderer.audioTimePitchAlgorithm = .varispeed
      playback.player.playlist.append(
        PlaylistItem(source("one", rate: 48_000), volumeAutomation: automation))
      playback.player.defaultRate = rate
      playback.player.play()
      return playback
    }
    let frames = 48_000 / abs(rate)
    let count = Int(20 * frames)
    expectEqual(playbacks[1].pull(count), playbacks[0].pull(count), "rate \(rate)") { n in
      Self.volume(rate > 0 ? Double(n) / frames : 20 - Double(n + 1) / frames)
    }
  }

  @Test func `each item has its own, by its own time, and a clip counts from its start`() {
    let playbacks = [VolumeAutomation(), Self.tenSeconds].map { automation in
      let playback = OfflinePlayback(format: StepSource.format, fade: .none)
      playback.player.playlist.append(contentsOf: [
        PlaylistItem(
          source("one", rate: 44_100), start: Self.seconds(3), end: Self.seconds(10),
          volumeAutomation: automation),
        PlaylistItem(source("two", rate: 48_000)),
        PlaylistItem(source("three", rate: 48_000), volumeAutomation: automation),
      ])
      playback.player.play()
      return playback
    }
    let count = 47 * 48_000
    expectEqual(playbacks[1].pull(count), playbacks[0].pull(count), "three items") { n in
      let time = Double(n) / 48_000
      return time < 7 ? Self.volume(time) : time < 27 ? 1 : Self.volume(time - 27)
    }
  }

  @Test(arguments: [48_000, 44_100])
  func `a rendering without a player has the same volumes to the bit`(rate: Int) {
    let items = [Self.tenSeconds, VolumeAutomation(), Self.tenSeconds].map {
      PlaylistItem(source("one", rate: rate), end: Self.seconds(9), gain: -3, volumeAutomation: $0)
    }
    var rendered: [Float] = []
    Bounce(items, format: StepSource.format).render { rendered.append(contentsOf: $0) }
    let playback = OfflinePlayback(format: StepSource.format, fade: .none)
    playback.player.playlist.append(contentsOf: items)
    #expect(firstDifference(rendered, playback.playToEnd()) == nil)
  }

  @Test(arguments: [1, 0.5, 1.5])
  func `a renderer's ramp is on the timeline, through jumps and pauses`(rate: Double) {
    let lines = [PulledLine(), PulledLine()]
    lines[1].renderer.volumeAutomation = Self.tenSeconds
    for line in lines {
      line.renderer.audioTimePitchAlgorithm = .varispeed
      line.synchronizer.rate = rate
    }
    let frames = Double((48_000 / rate).rounded())
    for (place, count) in [(4.5, 40_000), (5.2, 70_000), (14.8, 30_000)] {
      let first = Int(place * 48_000)
      for line in lines {
        // Nothing of the old place fades out.
        line.synchronizer.rate = 0
        line.renderer.flush()
        line.synchronizer.setRate(rate, time: Self.seconds(place))
        let samples = (first..<(first + 144_000)).map { Float($0 % 1_000) / 1_000 }
        line.renderer.enqueue(buffer(samples, atFrame: Int64(first)))
      }
      var passed = 0
      for part in [count / 3, count - count / 3] {
        let pulled = lines.map { $0.pull(part) }
        #expect(pulled[0].count == part)
        expectEqual(pulled[1], pulled[0], "at \(place)") { n in
          Self.volume(place + Double(passed + n) / frames)
        }
        passed += part
        for line in lines {
          line.synchronizer.rate = 0
          line.synchronizer.rate = rate
        }
      }
    }
  }

  @Test func `a change while it plays is a straight line of 5 ms to the new ramp`() {
    let line = PulledLine()
    line.synchronizer.setRate(1, time: Self.seconds(8))
    line.renderer.enqueue(buffer([Float](repeating: 1, count: 96_000), atFrame: 8 * 48_000))
    _ = line.pull(1_000)
    line.renderer.setVolumeRamp(
      fromStartVolume: 0.2, toEndVolume: 0.8,
      timeRange: MediaTimeRange(start: Self.seconds(4), duration: Self.seconds(10)))
    func new(_ frame: Int) -> Double { 0.2 + 0.6 * (Double(frame) / 48_000 - 4) / 10 }
    let first = 8 * 48_000 + 1_000
    var heard = line.pull(2_000)
    expectEqual(heard, [Float](repeating: 1, count: 2_000), "at once") { n in
      n < 240 ? 1 + (new(first + 240) - 1) * Double(n) / 240 : new(first + n)
    }
    // In its midst another, from where it had got.
    line.renderer.setVolume(1, at: .zero)
    heard = line.pull(100)
    line.renderer.volumeAutomation = VolumeAutomation()
    let before = Double(heard[99])
    heard = line.pull(1_000)
    #expect(abs(Double(heard[0]) - before) < 0.01)
    #expect(heard[240...] == [Float](repeating: 1, count: 760)[...])
  }

  @Test func `an item's changes while it plays, from the first frame on that a device gives back`()
    throws
  {
    let output = SteppedOutput(reach: 960)
    let player = SampleBufferPlayer(
      renderer: AudioRenderer(output: output, quality: .veryHigh), fade: .none)
    let item = PlaylistItem(
      GeneratorSource(name: "ones", format: StepSource.format, frameCount: 960_000) { samples, _ in
        samples.update(repeating: 1)
      })
    player.playlist.append(item)
    player.play()
    wait { output.withLock { player.renderer.line.transport == .running } }
    output.step(to: 5_000)
    var automation = VolumeAutomation()
    automation.setVolumeRamp(
      fromStartVolume: 0, toEndVolume: 1,
      timeRange: MediaTimeRange(start: .zero, duration: Self.seconds(1)))
    try player.playlist.setVolumeAutomation(automation, of: item.id)
    wait { player.serializer.isSettled }
    #expect(player.playlist[0].volumeAutomation == automation)
    let (heard, zero) = output.withLock {
      (player.renderer.line.rendered(5_000..<9_000), player.renderer.line.stream(of: 0).number)
    }
    func time(_ n: Int) -> Double { Double(5_000 + Int64(n) - zero) / 48_000 }
    expectEqual(heard, [Float](repeating: 1, count: 4_000), "device") { n in
      n < 960 ? 1 : n < 1_200 ? 1 + (time(1_200) - 1) * Double(n - 960) / 240 : time(n)
    }
  }

  @Test func `a seek to silence goes out as everywhere, and a volume set right then is not loud`()
    throws
  {
    var automation = VolumeAutomation()
    automation.setVolume(0, at: .zero)
    automation.setVolumeRamp(
      fromStartVolume: 0, toEndVolume: 1,
      timeRange: MediaTimeRange(start: Self.seconds(1), duration: Self.seconds(1)))
    let playback = OfflinePlayback(format: StepSource.format)
    let item = PlaylistItem(
      GeneratorSource(name: "ones", format: StepSource.format, frameCount: 960_000) { samples, _ in
        samples.update(repeating: 1)
      }, volumeAutomation: automation)
    playback.player.playlist.append(item)
    playback.splicing { playback.player.jump(to: 0, offset: Self.seconds(3)) }
    playback.player.play()
    var heard = playback.pull(1_000)
    #expect(heard[300...].allSatisfy { $0 == 1 })
    playback.splicing { playback.player.seek(to: .zero) }
    heard += playback.pull(100)
    try playback.player.playlist.setVolumeAutomation(VolumeAutomation(), of: item.id)
    playback.settle()
    heard += playback.pull(2_000)
    let steps = zip(heard[300...], heard[301...]).map { abs($0 - $1) }
    #expect(steps.max() ?? 1 < 0.02)
    #expect(heard.max() ?? 2 <= 1)
    #expect(heard[1_600...].allSatisfy { $0 == 1 })
    #expect(heard[1_000..<1_241].min() ?? 1 < 0.01)
  }

  @Test func `a ramp says what it is at every time`() {
    var automation = VolumeAutomation()
    #expect(automation.isEmpty)
    #expect(automation.volume(at: Self.seconds(3)) == 1)
    automation.setVolume(0.5, at: Self.seconds(2))
    automation.setVolumeRamp(
      fromStartVolume: 1, toEndVolume: 0,
      timeRange: MediaTimeRange(start: Self.seconds(4), duration: Self.seconds(4)))
    automation.setVolume(0.75, at: Self.seconds(6))
    let times: [(Double, Float)] = [
      (1.99, 1), (2, 0.5), (3.99, 0.5), (4, 1), (5, 0.75), (5.5, 0.625), (6, 0.75), (100, 0.75),
    ]
    for (time, volume) in times {
      #expect(automation.volume(at: Self.seconds(time)) == volume, "\(time)")
    }
    automation.setVolumeRamp(
      fromStartVolume: 0.25, toEndVolume: 0.25,
      timeRange: MediaTimeRange(start: Self.seconds(5), duration: Self.seconds(1.5)))
    #expect(automation.volume(at: Self.seconds(6)) == 0.25)
    #expect(automation.ramps.count == 3)
  }

  @Test(arguments: 0..<20) func `a curve's runs are what the automation says, wherever they begin`(
    seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed)
    var automation = VolumeAutomation()
    for _ in 0..<30 {
      let start = Self.seconds(Double.random(in: 0...1, using: &random))
      let length = Self.seconds(Double.random(in: 0...0.1, using: &random))
      automation.setVolumeRamp(
        fromStartVolume: .random(in: 0...1, using: &random),
        toEndVolume: .random(in: 0...1, using: &random),
        timeRange: MediaTimeRange(start: start, duration: length))
    }
    let curve = try #require(VolumeCurve(automation))
    let isReversed = Bool.random(using: &random)
    let place = CurvePlace(
      segments: curve.segments, count: curve.count, zero: 1_000, phase: 0, rate: 48_000,
      isReversed: isReversed)
    var frame: StreamFrame = isReversed ? -50_000 : 900
    let end = frame + 50_000
    var whole: [Float] = []
    while frame < end {
      let run = place.run(at: frame, atMost: min(5_000, Int(end - frame)))
      for n in 0..<run.frames {
        let distance = frame.number + Int64(n) - 1_000
        let media = isReversed ? -1 - distance : distance
        let expected = automation.volume(at: MediaTime(value: media, timescale: 48_000))
        guard abs(run[n] - expected) <= 1e-6 else {
          Issue.record("\(run[n]) at media frame \(media), not \(expected), seed \(seed)")
          return
        }
        whole.append(run[n])
      }
      frame += run.frames
    }
    let first: StreamFrame = isReversed ? -50_000 : 900
    let alone = (0..<50_000).map { place.run(at: first + $0, atMost: 1)[0] }
    #expect(alone == whole, "seed \(seed)")
    withExtendedLifetime(curve) {}
  }
}
