// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
@testable import Rendering
import TestFixtures
import Testing

/// Fades of the volume, told by every frame: what is played is 1 throughout.
@Suite struct VolumeFadeTests {
  private static func time(_ frame: Int64) -> MediaTime {
    MediaTime(value: frame, timescale: 48_000)
  }

  /// Playing ones.
  private func playing() -> PulledLine {
    let line = PulledLine()
    line.renderer.enqueue(buffer([Float](repeating: 1, count: 240_000), atFrame: 0))
    line.synchronizer.rate = 1
    return line
  }

  /// The gain from `frame` of a fade on that is `length` frames long.
  private func gains(
    _ frames: Range<Int>, from: Float = 1, to: Float = 0, length: Int
  ) -> [Float] {
    let step = (to - from) / Float(length)
    return frames.map { $0 < length ? from + step * Float($0) : to }
  }

  @Test func `a fade goes in a straight line, and ends after exactly its length`() {
    let line = playing()
    _ = line.pull(1_000)
    line.renderer.fade(to: 0, over: Self.time(48_000))
    #expect(line.renderer.volume == 0)
    #expect(line.pull(48_000) == gains(0..<48_000, length: 48_000))
    #expect(line.pull(1_000) == [Float](repeating: 0, count: 1_000))
  }

  @Test func `a fade may be longer than everything that is prepared`() {
    let line = playing()
    _ = line.pull(1_000)
    let length = 30 * 48_000
    line.renderer.fade(to: 0.25, over: Self.time(Int64(length)))
    var heard = 0
    for second in 5..<40 {
      line.renderer.enqueue(
        buffer([Float](repeating: 1, count: 48_000), atFrame: Int64(second) * 48_000))
      let frames = heard..<(heard + 40_000)
      #expect(line.pull(40_000) == gains(frames, to: 0.25, length: length))
      heard += 40_000
    }
  }

  @Test(arguments: [Fade.none, .standard]) func `a pause holds it`(fade: Fade) {
    let line = playing()
    _ = line.pull(1_000)
    line.renderer.fade(to: 0, over: Self.time(48_000))
    #expect(line.pull(10_000) == gains(0..<10_000, length: 48_000))
    line.synchronizer.fade = fade
    line.synchronizer.rate = 0
    _ = line.pull(5_000)
    line.synchronizer.rate = 1
    let fadedIn = fade.frames(at: 48_000)
    #expect(
      line.pull(20_000)[fadedIn...] == gains(10_000..<30_000, length: 48_000)[fadedIn...])
  }

  @Test func `one that is asked for in a pause begins with the first frame heard`() {
    let line = playing()
    _ = line.pull(1_000)
    line.synchronizer.rate = 0
    _ = line.pull(1_000)
    line.renderer.fade(to: 0.5, over: Self.time(2_400))
    line.synchronizer.rate = 1
    #expect(line.pull(5_000) == gains(0..<5_000, to: 0.5, length: 2_400))
  }

  @Test func `one before the first start begins with it`() {
    let line = PulledLine()
    line.renderer.volume = 0
    line.renderer.enqueue(buffer([Float](repeating: 1, count: 48_000), atFrame: 0))
    line.renderer.fade(to: 1, over: Self.time(4_800))
    line.synchronizer.rate = 1
    #expect(line.pull(6_000) == gains(0..<6_000, from: 0, to: 1, length: 4_800))
  }

  @Test func `a flush, an edit and a jump leave it alone`() {
    let line = playing()
    _ = line.pull(1_000)
    line.renderer.fade(to: 0, over: Self.time(48_000))
    _ = line.pull(10_000)
    line.renderer.flush(fromSourceTime: Self.time(12_000)) { #expect($0) }
    line.renderer.enqueue(buffer([Float](repeating: 1, count: 240_000), atFrame: 12_000))
    #expect(line.pull(10_000) == gains(10_000..<20_000, length: 48_000))
    line.synchronizer.setRate(1, time: Self.time(100_000))
    #expect(line.pull(28_000) == gains(20_000..<48_000, length: 48_000))
  }

  @Test func `it takes as long at another rate`() {
    let line = playing()
    line.renderer.audioTimePitchAlgorithm = .varispeed
    line.synchronizer.rate = 2
    _ = line.pull(1_000)
    line.renderer.fade(to: 0, over: Self.time(24_000))
    let heard = line.pull(24_000)
    for (n, gain) in gains(0..<24_000, length: 24_000).enumerated() {
      // The filter's ripple on ones.
      if abs(heard[n] - gain) > 1e-4 {
        Issue.record("\(heard[n]) at frame \(n) instead of \(gain)")
        break
      }
    }
  }

  @Test func `another fade goes on from where it is, and a volume ends it`() {
    let line = playing()
    _ = line.pull(1_000)
    line.renderer.fade(to: 0, over: Self.time(40_000))
    _ = line.pull(10_000)
    line.renderer.fade(to: 1, over: Self.time(10_000))
    #expect(line.pull(10_000) == gains(0..<10_000, from: 0.75, to: 1, length: 10_000))
    line.renderer.fade(to: 0, over: Self.time(40_000))
    _ = line.pull(10_000)
    line.renderer.volume = 0.5
    _ = line.pull(240)
    #expect(line.pull(100) == [Float](repeating: 0.5, count: 100))
  }

  @Test func `muted it is silent, and its end is heard afterwards`() {
    let line = playing()
    _ = line.pull(1_000)
    line.renderer.isMuted = true
    _ = line.pull(240)
    line.renderer.fade(to: 0.5, over: Self.time(1_000))
    #expect(line.pull(2_000) == [Float](repeating: 0, count: 2_000))
    line.renderer.isMuted = false
    _ = line.pull(240)
    #expect(line.pull(100) == [Float](repeating: 0.5, count: 100))
  }

  @Test func `another device's stream goes on with it for as long as it had left`() {
    var old = RenderLine(channelCount: 1, capacity: 100, rate: 48_000)
    _ = old.append([Float](repeating: 1, count: 100), media: 0, count: 100)
    old.start(at: 10, fade: 0)
    old.fadeVolume(to: 0, at: 20, length: 80)
    var new = RenderLine(
      channelCount: 1, capacity: 100, rate: 96_000, sampleRate: 96_000, replacing: old, from: 60,
      at: 100)
    _ = new.append([Float](repeating: 1, count: 90), media: 100, count: 90)
    new.start(at: 1_000, fade: 0)
    // Half of it was left: 40 frames, 80 of the new device's.
    #expect(new.gains.volume.gain(at: 1_000) == 0.5)
    #expect(new.gains.volume.gain(at: 1_040) == 0.25)
    #expect(new.gains.volume.gain(at: 1_080) == 0)
  }

  @Test func `a fade over no time is the caller's fault`() async {
    let end = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { NullRenderer().fade(to: 0, over: .indefinite) }
    #expect(end.says("a fade over {INDEFINITE}; 0 and longer numbers are permitted"))
  }

  @Test func `a player passes its volume on, and knows whether it plays`() {
    let player = SampleBufferPlayer(renderer: NullRenderer())
    player.volume = 0.5
    player.isMuted = true
    #expect(player.renderer.volume == 0.5 && player.renderer.isMuted && player.isMuted)
    player.fade(to: 0.25, over: Self.time(1))
    #expect(player.volume == 0.25)
    #expect(!player.isPlaying)
    player.playlist.append(PlaylistItem(path: Fixtures.path("cut/uncut.flac")))
    player.play()
    #expect(player.isPlaying)
    player.pause()
    #expect(!player.isPlaying)
  }
}
