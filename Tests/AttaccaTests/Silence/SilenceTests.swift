// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
@testable import Rendering
import TestFixtures
import TestSeeds
import Testing

/// Silences that are shortened, of items that a player plays.
@Suite struct SilenceTests {
  private static let fade = Fade.standard.frames(at: PatchySource.rate)

  @Test func `what is heard and what is left out are together what there is`() async {
    let run = SilencePlayback([9_000, 5_000, 12_000])
    let events = run.player.events
    let heard = run.offline.playToEnd()
    var rest = heard[...]
    for model in run.models {
      let frames = model.heard()
      #expect(model.difference(Array(rest.prefix(frames.count)), frames) == nil)
      rest = rest.dropFirst(frames.count)
    }
    #expect(rest.isEmpty)
    wait { heard.count + run.skipped == 26_000 }
    var told = MediaTime.zero
    for await event in events {
      if case .silenceSkipped(let length) = event { told = told + length }
      if case .endOfQueue = event { break }
    }
    #expect(told == run.player.skippedSilence)
    #expect(run.skipped > 3_000)
  }

  @Test func `a thousand places are those of the file, to the frame`() {
    let run = SilencePlayback([16_000])
    let frames = run.models[0].heard()
    var random = SplitMix64(seed: 5)
    let places = (0..<1_000).map { _ in Int.random(in: 1..<frames.count, using: &random) }.sorted()
    run.player.play()
    var position = 0
    for place in places {
      _ = run.offline.pull(place - position)
      position = place
      wait { run.player.currentItem != nil && run.player.currentSpan != nil }
      #expect(run.offset == frames[place])
      let skipped = (1...place).reduce(0) { $0 + frames[$1] - frames[$1 - 1] - 1 }
      #expect(run.skipped == skipped)
    }
    _ = run.offline.pullToEnd()
  }

  @Test(arguments: 0..<30)
  func `a seek leads to the frame that was asked for, and silences behind it are shortened`(
    seed: Int
  ) {
    let run = SilencePlayback([12_000])
    var random = SplitMix64(seed: UInt64(seed))
    run.player.play()
    _ = run.offline.pull(Int.random(in: 1...3_000, using: &random))
    let place = Int.random(in: 0..<12_000, using: &random)
    run.offline.splicing { run.player.seek(to: SilencePlayback.time(place)) }
    let frames = run.models[0].heard(from: place)
    let heard = run.offline.pullToEnd()
    #expect(run.models[0].difference(heard, frames, behind: Self.fade) == nil, "seed \(seed)")
  }

  @Test(arguments: 0..<30)
  func `an edit of what follows changes nothing of what is heard before`(seed: Int) {
    let run = SilencePlayback([6_000, 4_000, 5_000])
    var random = SplitMix64(seed: UInt64(seed))
    let place = Int.random(in: 1..<run.models[0].heard().count, using: &random)
    run.player.play()
    let first = run.offline.pull(place)
    run.player.playlist.remove(at: 1)
    run.offline.settle()
    let heard = first + run.offline.pullToEnd()
    let (one, three) = (run.models[0].heard(), run.models[2].heard())
    #expect(run.models[0].difference(Array(heard.prefix(one.count)), one) == nil, "seed \(seed)")
    #expect(
      run.models[2].difference(Array(heard.dropFirst(one.count)), three) == nil, "seed \(seed)")
    wait { run.skipped == 11_000 - heard.count }
  }

  @Test(arguments: 0..<30)
  func `what is read again from the playhead on is the same`(seed: Int) {
    let expected = SilencePlayback([9_000]).offline.playToEnd()
    let run = SilencePlayback([9_000])
    var random = SplitMix64(seed: UInt64(seed))
    run.player.play()
    var heard: [Float] = []
    while heard.count < expected.count - 3_000 {
      heard += run.offline.pull(Int.random(in: 1...1_000, using: &random))
      run.player.readAgain()
      run.offline.settle()
    }
    heard += run.offline.pullToEnd()
    #expect(heard.count == expected.count)
    // The crossfade of two equal frames rounds.
    let wrong = zip(heard, expected).enumerated().first {
      abs($1.0 - $1.1) > 5e-7 * $1.1 + 1e-7
    }
    #expect(wrong == nil, "seed \(seed)")
    wait { run.skipped == 9_000 - heard.count }
  }

  @Test func `backwards silences are shortened, too, and the time is the file's`() {
    let run = SilencePlayback([6_000, 7_000])
    run.player.defaultRate = -1
    run.player.play()
    let (two, one) = (
      run.models[1].heard((0..<7_000).reversed()), run.models[0].heard((0..<6_000).reversed())
    )
    let heard = run.offline.pull(two.count - 100)
    #expect(run.models[1].difference(heard, Array(two.dropLast(100))) == nil)
    // The place is behind the frame that is heard next.
    #expect(run.offset == two[two.count - 100] + 1)
    let rest = run.offline.pullToEnd()
    #expect(run.models[0].difference(Array(rest.dropFirst(100)), one) == nil)
    wait { run.skipped == 13_000 - heard.count - rest.count }
  }

  @Test(arguments: 0..<30)
  func `a turn goes back from the frame that was heard`(seed: Int) {
    let run = SilencePlayback([9_000])
    var random = SplitMix64(seed: UInt64(seed))
    let forth = run.models[0].heard()
    run.player.play()
    // Within a silence the one way is not the other one.
    let silent = run.models[0].silent
    let place = (1_000..<(forth.count - 1_000)).filter {
      !silent[forth[$0]] && !silent[forth[$0 - 1]]
    }.randomElement(using: &random)!
    _ = run.offline.pull(place)
    run.player.rate = -1
    run.offline.settle()
    let heard = run.offline.pullToEnd()
    let back = run.models[0].heard((0..<forth[place]).reversed())
    #expect(run.models[0].difference(heard, back, behind: Self.fade) == nil, "seed \(seed)")
  }

  @Test(arguments: [500, 2_345], [true, false])
  func `a change of the setting is heard at once, and the place stays`(place: Int, begins: Bool) {
    let run = SilencePlayback([9_000], skipping: begins ? nil : SilenceSkipping())
    run.player.play()
    _ = run.offline.pull(place)
    wait { run.player.currentSpan != nil }
    let frame = run.offset
    run.player.silenceSkipping = begins ? SilenceSkipping() : nil
    run.offline.settle()
    #expect(run.offset == frame)
    let heard = run.offline.pullToEnd()
    let frames = begins ? run.models[0].heard(from: frame) : Array(frame..<9_000)
    #expect(run.models[0].difference(heard, frames, behind: Self.fade) == nil)
  }

  @Test func `a volume by the item's time counts on behind what is left out`() {
    let run = SilencePlayback([9_000])
    var automation = VolumeAutomation()
    automation.setVolumeRamp(
      fromStartVolume: 1, toEndVolume: 0,
      timeRange: MediaTimeRange(start: .zero, duration: SilencePlayback.time(9_000)))
    try! run.player.playlist.setVolumeAutomation(automation, of: run.player.playlist[0].id)
    let heard = run.offline.playToEnd()
    for (i, frame) in run.models[0].heard().enumerated() where !run.models[0].silent[frame] {
      let expected = PatchySource.sample(1, frame) * (1 - Float(frame) / 9_000)
      #expect(abs(heard[i] - expected) <= 0.01, "frame \(frame)")
    }
  }

  @Test func `chapters are told at their frames`() {
    let run = SilencePlayback([12_000])
    let frames = run.models[0].heard()
    let starts = PatchySource.chapterFrames(12_000)
    run.player.play()
    for (i, frame) in frames.enumerated() where i % 37 == 1 {
      _ = run.offline.pull(i == 1 ? 1 : 37)
      run.offline.settle()
      let chapter = starts.last { $0 <= frame }!
      wait { run.player.currentChapter?.title == "\(chapter)" }
    }
    _ = run.offline.pullToEnd()
  }

  @Test func `a gap is heard whole, and an end of a sleep timer is the chapter's`() {
    let run = SilencePlayback([5_000, 4_000])
    run.player.gap = SilencePlayback.time(3_000)
    let heard = run.offline.playToEnd()
    let (one, two) = (run.models[0].heard(), run.models[1].heard())
    #expect(heard.count == one.count + 3_000 + two.count)
    #expect(heard[one.count..<(one.count + 3_000)].allSatisfy { $0 == 0 })
    #expect(run.models[1].difference(Array(heard.dropFirst(one.count + 3_000)), two) == nil)
  }

  @Test(arguments: [0, 600])
  func `a rendering is what a player plays, to the bit`(crossfade: Int) {
    let run = SilencePlayback([9_000, 3_000, 7_000])
    let overlap =
      crossfade > 0 ? ItemCrossfade(duration: SilencePlayback.time(crossfade)) : nil
    run.player.crossfade = overlap
    let played = run.offline.playToEnd()
    let bounce = Bounce(
      run.models.map { PlaylistItem(path: $0.path) }, opening: { try PatchySource(path: $0.path) },
      format: AudioFormat(sampleRate: PatchySource.rate, layout: .mono),
      sizes: Bounce.Sizes(threads: 2, chunkSamples: 700, blockSamples: 2_000),
      crossfade: overlap, silenceSkipping: SilenceSkipping())
    var bounced: [Float] = []
    bounce.render { bounced += $0 }
    expectFrames(bounced, is: played)
    wait { bounce.skippedSilence == run.player.skippedSilence }
    #expect(bounced.count + run.skipped == 19_000 - 2 * crossfade)
  }

  @Test func `an hour of silence is two seconds`() {
    let format = AudioFormat(sampleRate: 8_000, layout: .mono)
    let playback = OfflinePlayback([], format: format)
    playback.player.silenceSkipping = SilenceSkipping()
    playback.player.playlist.append(
      PlaylistItem(GeneratorSource.silence(frameCount: 3_600 * 8_000, format: format)))
    #expect(playback.playToEnd().count == 16_000)
    wait { playback.player.skippedSilence == MediaTime(value: 3_598, timescale: 1) }
  }
}
