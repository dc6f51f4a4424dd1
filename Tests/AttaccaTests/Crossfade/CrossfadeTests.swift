// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Foundation
@testable import Rendering
import TestFixtures
import Testing

/// Items that overlap, against sums of whole items times the gains of the formula.
@Suite struct CrossfadeTests {
  /// Rounding of 32 bits, twice.
  private static let exact = 2e-7

  @Test(arguments: ItemCrossfade.Curve.allCases)
  func `items of one rate are the sum of both times the curve, and as long as they are`(
    curve: ItemCrossfade.Curve
  ) {
    let lengths = [100_000, 70_001, 90_000]
    let playback = CrossfadePlayback(crossfade: 24_001, lengths: lengths, curve: curve)
    var model = CrossfadePlayback.model(lengths, wanted: 24_001)
    model.isEqualPower = curve == .equalPower
    let heard = playback.offline.playToEnd()
    #expect(heard.count == 260_001 - 48_002)
    let worst = furthest(heard, model.samples)
    #expect(worst.distance < Self.exact, "\(worst)")
  }

  @Test func `5 s between constants at 44.1 and 96 kHz are within -100 dB of the formula`() {
    let rate = 44_100
    let playback = OfflinePlayback(format: AudioFormat(sampleRate: rate, layout: .mono))
    let (seconds, values, rates) = (10, [0.5, 0.25, 0.4], [44_100, 96_000, 44_100])
    for (value, rate) in zip(values, rates) {
      let source = GeneratorSource(
        name: "constant", format: AudioFormat(sampleRate: rate, layout: .mono),
        frameCount: Int64(seconds * rate)
      ) { samples, _ in samples.update(repeating: Float(value)) }
      playback.player.playlist.append(PlaylistItem(source))
    }
    playback.player.crossfade = ItemCrossfade(duration: MediaTime(value: 5, timescale: 1))
    let model = CrossfadeModel(
      items: values.map { value in
        CrossfadeModel.Item(length: seconds * rate) { _ in Double(Float(value)) }
      }, wanted: 5 * rate)
    #expect(model.overlaps == [5 * rate, 5 * rate])
    #expect(model.count == 20 * rate)
    let heard = playback.playToEnd()
    #expect(heard.count == model.count)
    let worst = furthest(heard, model.samples)
    #expect(20 * log10(worst.distance) < -100, "\(worst)")
  }

  @Test(arguments: [[1, 2, 50_000], [3, 50_000, 7, 1], [50_000, 1_000, 50_000], [2, 2, 2, 2]])
  func `items that are too short for it overlap by what is left`(lengths: [Int]) {
    let playback = CrossfadePlayback(crossfade: 24_000, lengths: lengths)
    let model = CrossfadePlayback.model(lengths, wanted: 24_000)
    let heard = playback.offline.playToEnd()
    #expect(heard.count == model.count)
    let worst = furthest(heard, model.samples)
    #expect(worst.distance < Self.exact, "\(worst)")
  }

  @Test func `backwards it is the list the other way round`() {
    let lengths = [100_000, 70_001, 90_000]
    let playback = CrossfadePlayback(crossfade: 24_001, lengths: lengths)
    playback.player.renderer.audioTimePitchAlgorithm = .varispeed
    playback.player.defaultRate = -1
    let model = CrossfadeModel(
      items: lengths.enumerated().reversed().map { number, length in
        CrossfadeModel.Item(length: length) { CrossfadePlayback.sample(number, length - 1 - $0) }
      }, wanted: 24_001)
    let heard = playback.offline.playToEnd()
    #expect(heard.count == model.count)
    let worst = furthest(heard, model.samples)
    #expect(worst.distance < Self.exact, "\(worst)")
  }

  /// Items of three rates, in one album or in none.
  private func items(inAlbum: Bool) -> [PlaylistItem] {
    [44_100, 96_000, 48_000, 48_000].enumerated().map { number, rate in
      var tags = Tags()
      if inAlbum { (tags.album, tags.trackNumber) = ("One", "\(number + 1)/4") }
      let source = GeneratorSource(
        name: "\(rate)", format: AudioFormat(sampleRate: rate, layout: .stereo),
        frameCount: Int64(rate) + 17
      ) { samples, first in
        for i in samples.indices {
          samples[i] = sinf(Float((Int64(i) + 2 * first) % 8_820) * .pi / 441) / 2
        }
      }
      return PlaylistItem(source, tags: tags)
    }
  }

  @Test(arguments: [false, true])
  func `off, or within an album, nothing differs by a bit`(inAlbum: Bool) {
    let heard = [false, true].map { isOn in
      let playback = OfflinePlayback()
      playback.player.playlist.append(contentsOf: items(inAlbum: inAlbum))
      if isOn {
        playback.player.crossfade = ItemCrossfade(duration: MediaTime(value: 1, timescale: 2))
        if !inAlbum { playback.player.crossfade = nil }
      }
      return playback.playToEnd()
    }
    #expect(firstDifference(heard[0], heard[1]) == nil)
    #expect(heard[1].count == heard[0].count)
  }

  @Test func `tracks of an album in order overlap only where that is asked for`() {
    func tags(_ album: String?, _ track: String?) -> Tags {
      var tags = Tags()
      (tags.album, tags.trackNumber) = (album, track)
      return tags
    }
    let all = [
      tags("One", "1/9"), tags("One", "2"), tags("One", "4"), tags("Two", "5"), tags(nil, "6"),
      tags("Three", nil), tags("Three", nil),
    ]
    for includesAlbums in [false, true] {
      let playback = CrossfadePlayback(crossfade: nil)
      playback.player.crossfade = ItemCrossfade(
        duration: MediaTime(value: 1, timescale: 4), includesAlbums: includesAlbums)
      playback.player.playlist.append(
        contentsOf: all.enumerated().map { CrossfadePlayback.item($0, length: 30_000, tags: $1) })
      var model = CrossfadePlayback.model(all.map { _ in 30_000 }, wanted: 12_000)
      model.apart = includesAlbums ? [] : [0, 5]
      let heard = playback.offline.playToEnd()
      #expect(heard.count == model.count)
      let worst = furthest(heard, model.samples)
      #expect(worst.distance < Self.exact, "\(worst)")
    }
  }

  @Test func `the item change is told in the middle, and time goes on through it`() {
    let lengths = [100_000, 100_000]
    let playback = CrossfadePlayback(crossfade: 24_000, lengths: lengths)
    let player = playback.player
    player.play()
    _ = playback.offline.pull(87_999)
    playback.offline.settle()
    #expect(player.currentItem?.path == "item 0")
    #expect(player.currentTime == MediaTime(value: 87_999, timescale: 48_000))
    _ = playback.offline.pull(2)
    playback.offline.waitForCurrent("item 1")
    #expect(player.currentTime == MediaTime(value: 12_001, timescale: 48_000))
    #expect(player.duration == MediaTime(value: 100_000, timescale: 48_000))
  }

  @Test func `at another speed the overlap is as long in media time`() {
    let lengths = [96_000, 96_000]
    let playback = CrossfadePlayback(crossfade: 24_000, lengths: lengths)
    playback.player.renderer.audioTimePitchAlgorithm = .varispeed
    playback.player.defaultRate = 2
    let model = CrossfadePlayback.model(lengths, wanted: 24_000)
    let heard = playback.offline.playToEnd()
    #expect(heard.count == model.count / 2)
    // The first and the last frames have silence in the filter's reach.
    let all = model.samples
    let halves = stride(from: 0, to: all.count, by: 2).map { all[$0] }
    let worst = furthest(heard[1_000..<(heard.count - 1_000)], halves[1_000...])
    #expect(worst.distance < 1e-5, "\(worst)")
  }

  @Test func `an item of unknown length is followed without a gap or an overlap`() {
    let playback = CrossfadePlayback(crossfade: 24_000)
    let lengths = [60_000, 60_000, 60_000, 60_000]
    playback.player.playlist.append(
      contentsOf: lengths.enumerated().map {
        CrossfadePlayback.item($0, length: $1, isLengthKnown: $0 != 2)
      })
    var model = CrossfadePlayback.model(lengths, wanted: 24_000)
    model.apart = [1, 2]
    let heard = playback.offline.playToEnd()
    #expect(heard.count == model.count)
    let worst = furthest(heard, model.samples)
    #expect(worst.distance < Self.exact, "\(worst)")
  }

  @Test func `lengths that have to be searched for are found in time`() {
    let decoder = DecoderWatchdog { (path: String) throws(SoundFileError) in
      try SearchedSource(path: path, framesPerStep: 500, seconds: 0)
    }
    let playback = OfflinePlayback(
      ["ramp 1 9000", "ramp 2 8000", "ramp 3 9000"],
      format: AudioFormat(sampleRate: RampSource.rate, layout: .mono), fade: .none,
      decoder: decoder)
    playback.player.crossfade = ItemCrossfade(
      duration: MediaTime(value: 1_500, timescale: Int32(RampSource.rate)), curve: .linear)
    var model = CrossfadeModel(
      items: [(1, 9_000), (2, 8_000), (3, 9_000)].map { number, length in
        CrossfadeModel.Item(length: length) { Double(RampSource.sample(number, $0)) }
      }, wanted: 1_500)
    model.isEqualPower = false
    let heard = playback.playToEnd()
    #expect(heard.count == model.count)
    // Samples go up to 58,000.
    let worst = furthest(heard, model.samples)
    #expect(worst.distance < 58_000 * Self.exact, "\(worst)")
  }

  @Test func `an item and itself, and a loop, do not overlap`() {
    let playback = CrossfadePlayback(crossfade: 24_000, lengths: [60_000])
    playback.player.setRepeatMode(.one)
    playback.player.play()
    let heard = playback.offline.pull(180_000)
    let wanted = (0..<180_000).map { CrossfadePlayback.sample(0, $0 % 60_000) }
    #expect(furthest(heard, wanted).distance == 0)
  }

  @Test func `gains and automations of both items are in the overlap`() {
    var automation = VolumeAutomation()
    automation.setVolumeRamp(
      fromStartVolume: 0.5, toEndVolume: 0,
      timeRange: MediaTimeRange(
        start: MediaTime(value: 80_000, timescale: 48_000),
        duration: MediaTime(value: 10_000, timescale: 48_000)))
    let playback = CrossfadePlayback(crossfade: 40_000)
    playback.player.playlist.append(
      CrossfadePlayback.item(0, length: 100_000, automation: automation))
    playback.player.playlist.append(CrossfadePlayback.item(1, length: 100_000, gain: -20))
    let model = CrossfadeModel(
      items: [
        CrossfadeModel.Item(length: 100_000) { n in
          let volume = n < 80_000 ? 1 : n < 90_000 ? 0.5 - 0.5 * Double(n - 80_000) / 10_000 : 0
          return CrossfadePlayback.sample(0, n) * volume
        }, CrossfadeModel.Item(length: 100_000) { CrossfadePlayback.sample(1, $0) / 10 },
      ], wanted: 40_000)
    let worst = furthest(playback.offline.playToEnd(), model.samples)
    #expect(worst.distance < 1e-6, "\(worst)")
  }

  @Test func `speakers of both items are in the overlap`() {
    let format = AudioFormat(sampleRate: 48_000, layout: .stereo)
    let playback = OfflinePlayback(format: format)
    let stereo = GeneratorSource(name: "stereo", format: format, frameCount: 50_000) { samples, _ in
      for i in samples.indices { samples[i] = i % 2 == 0 ? 0.5 : 0 }
    }
    playback.player.playlist.append(CrossfadePlayback.item(0, length: 50_000))
    playback.player.playlist.append(PlaylistItem(stereo))
    playback.player.crossfade = ItemCrossfade(
      duration: MediaTime(value: 1, timescale: 4), curve: .linear)
    let heard = playback.playToEnd()
    for (channel, value) in [0.5, 0].enumerated() {
      var model = CrossfadeModel(
        items: [
          CrossfadePlayback.modelled(0, length: 50_000),
          CrossfadeModel.Item(length: 50_000) { _ in value },
        ], wanted: 12_000)
      model.isEqualPower = false
      let own = stride(from: channel, to: heard.count, by: 2).map { heard[$0] }
      #expect(own.count == model.count)
      let worst = furthest(own, model.samples)
      #expect(worst.distance < Self.exact, "\(worst)")
    }
  }
}
