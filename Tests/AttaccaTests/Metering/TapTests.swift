// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Dispatch
@testable import Rendering
import TestFixtures
import TestSeeds
import Testing

@Suite struct TapTests {
  /// What a tap has told, gathered on a queue of its own.
  private final class Tapped: @unchecked Sendable {
    // @unchecked: `audio` is touched only on `queue`.
    private let queue = DispatchQueue(label: "tapped")
    private var audio: [TappedAudio] = []
    private var observation: EventObservation<TappedAudio>?

    init(_ renderer: AudioRenderer) {
      observation = renderer.tap().observe(on: queue) { [unowned self] in audio.append($0) }
    }

    /// What has been told so far.
    var all: [TappedAudio] { queue.sync { audio } }

    var samples: [Float] { all.flatMap { $0.buffer.withFrames { Array($0) } } }

    func cancel() { observation = nil }
  }

  /// Samples of `count` frames of `sound`, of two channels, from `time` on.
  private func frames(_ sound: [Float], from time: RationalTime, count: Int) -> ArraySlice<Float> {
    let frame = Int(time.frames(at: 48_000))
    return sound[min(frame * 2, sound.count)..<min((frame + count) * 2, sound.count)]
  }

  @Test func `each frame that is heard is told once, with its media time, over fifty seeks`() throws
  {
    let uncut = try Fixtures.samples("cut/uncut.flac")
    let playback = OfflinePlayback([Fixtures.path("cut/uncut.flac")], fade: .none)
    let tapped = Tapped(playback.renderer)
    playback.player.play()
    let seed = UInt64.random(in: 0...(.max))
    var random = SplitMix64(seed: seed)
    var heard = playback.pull(1_000)
    for _ in 0..<50 {
      let frame = Int.random(in: 0..<(uncut.count / 2 - 40_000), using: &random)
      playback.splicing {
        playback.player.seek(to: MediaTime(value: Int64(frame), timescale: 48_000))
      }
      heard += playback.pull(Int.random(in: 1..<40_000, using: &random))
    }
    #expect(firstDifference(tapped.samples, heard) == nil, "seed \(seed)")
    // A seek begins another timeline at the item's time.
    for audio in tapped.all {
      #expect(audio.rate == 1 && audio.hostTime == nil)
      let samples = audio.buffer.withFrames { Array($0) }
      let span = playback.player.currentSpan
      #expect(span != nil)
      #expect(
        Array(frames(uncut, from: audio.buffer.time, count: audio.buffer.frameCount)) == samples,
        "seed \(seed), at \(audio.buffer.time)")
    }
  }

  @Test func `pauses, volumes, rates and turns are told as they are heard`() throws {
    // 40 s: neither end is reached.
    let playback = OfflinePlayback([Fixtures.path("album-uncut.flac")])
    let tapped = Tapped(playback.renderer)
    let seed = UInt64.random(in: 0...(.max))
    var random = SplitMix64(seed: seed)
    playback.player.play()
    var heard = playback.pull(48_000)
    playback.splicing { playback.player.seek(to: MediaTime(value: 20, timescale: 1)) }
    for _ in 0..<40 {
      switch Int.random(in: 0..<5, using: &random) {
      case 0:
        // What is still heard of it, if it is paused by then.
        playback.player.pause()
        var target = [Float](repeating: 0, count: 2 * 4_800)
        let count = playback.renderer.render(frames: 4_800, into: &target)
        heard += target.prefix(2 * count)
        playback.player.play()
      case 1: playback.renderer.volume = Float.random(in: 0...1, using: &random)
      case 2: playback.renderer.isMuted.toggle()
      case 3: playback.player.setRate([0.5, 1, 1.5, -1].randomElement(using: &random)!)
      default: playback.player.seek(to: MediaTime(value: 20, timescale: 1))
      }
      heard += playback.pull(Int.random(in: 1..<9_600, using: &random))
    }
    #expect(firstDifference(tapped.samples, heard) == nil, "seed \(seed)")
    #expect(Set(tapped.all.map(\.rate)).isSubset(of: [0, 0.5, 1, 1.5, -1, -0.5, -1.5]))
  }

  // The line no longer holds what is still to be heard of the pause. A device was given silence in its place,
  // from full level; an `OfflineRenderer` keeps it aside.
  @Test(arguments: ["volume", "mute", "fade", "item gain", "seek", "rate"])
  func `an edit right behind a pause that was taken back leaves the fade out whole`(edit: String)
    throws
  {
    let playback = OfflinePlayback([Fixtures.path("album-uncut.flac")])
    let (player, renderer) = (playback.player, playback.renderer)
    player.play()
    let tapped = Tapped(renderer)
    var heard = playback.pull(10_000)
    player.pause()
    wait { renderer.publishedMap.read().last.isRunning == false }
    player.play()
    wait { renderer.publishedMap.read().last.isRunning }
    switch edit {
    case "volume": renderer.volume = 0.5
    case "mute": renderer.isMuted = true
    case "fade": renderer.fade(to: 0, over: MediaTime(value: 1, timescale: 10))
    case "item gain": player.setCurrentGain(-6)
    case "seek": playback.splicing { player.seek(to: MediaTime(value: 20, timescale: 1)) }
    default:
      player.setRate(1.5)
      playback.settle()
    }
    heard += playback.pull(4_800)
    #expect(firstDifference(tapped.samples, heard) == nil)
  }

  @Test func `what an edit takes back is never told`() throws {
    let (output, renderer, synchronizer) = steppedLine(reach: 480)
    renderer.enqueue(buffer(ramp(1, 48_000), atFrame: 0))
    synchronizer.rate = 1
    let tapped = Tapped(renderer)
    output.step(to: 1_000)
    renderer.tellTap()
    // It began 480 frames behind where the output was.
    #expect(tapped.samples == ramp(1, 520))
    // From frame 1,480 on something else, behind a fade.
    renderer.flush()
    renderer.enqueue(buffer(ramp(100_001, 48_000), atFrame: 2_000))
    synchronizer.setRate(1, time: MediaTime(value: 2_000, timescale: 48_000))
    output.step(to: 10_000)
    renderer.tellTap()
    let told = tapped.samples
    let change = try #require(told.firstIndex { $0 > 100_000 })
    #expect(Array(told[..<1_000]) == ramp(1, 1_000))
    #expect((1_001...1_240).contains(change))
    #expect(Array(told[change...]) == ramp(100_001, told.count - change))
    let new = tapped.all.filter { $0.buffer.withFrames { $0[0] > 100_000 } }
    for audio in new {
      #expect(
        Float(audio.buffer.time.frames(at: 48_000)) == audio.buffer.withFrames { $0[0] } - 98_001)
    }
  }

  @Test func `a reader that falls ten seconds behind is ended, and others go on`() async {
    let line = PulledLine()
    let behind = line.renderer.tap()
    let tapped = Tapped(line.renderer)
    line.synchronizer.rate = 1
    for second in 0..<110 {
      line.renderer.enqueue(buffer(ramp(1, 48_000), atFrame: Int64(48_000 * second)))
      _ = line.pull(48_000)
    }
    #expect(tapped.samples.count == 110 * 48_000)
    var count = 0
    for await _ in behind { count += 1 }
    #expect(count == AudioTap.limit + 1 && behind.end == .fellBehind)
  }

  @Test func `nothing is recorded once nobody listens`() {
    let line = PulledLine()
    let tapped = Tapped(line.renderer)
    line.renderer.enqueue(buffer(ramp(1, 48_000), atFrame: 0))
    line.synchronizer.rate = 1
    _ = line.pull(100)
    #expect(line.renderer.attachedTap != nil)
    tapped.cancel()
    _ = line.pull(100)
    #expect(line.renderer.attachedTap == nil)
    #expect(line.pull(10) == ramp(201, 10))
  }

  @Test func `a tap that comes late begins with what is heard then`() {
    let (output, renderer, synchronizer) = steppedLine(reach: 480)
    renderer.enqueue(buffer(ramp(1, 48_000), atFrame: 0))
    synchronizer.rate = 1
    output.step(to: 5_000)
    let start = renderer.output.withLock { renderer.line.map.last }
    let tapped = Tapped(renderer)
    output.step(to: 6_000)
    renderer.tellTap()
    #expect(tapped.samples == ramp(Int(start.media(at: 5_000).number) + 1, 1_000))
  }
}
