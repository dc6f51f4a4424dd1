// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Foundation
@testable import Rendering
import TestFixtures
import Testing

/// Gains by the loudness that tags tell, against the same playing without them times what the formula says.
@Suite struct LoudnessNormalizationTests {
  private static let length: Int64 = 40_000

  /// A track of an album with gains of its own and of the album's, whose frames are numbered from `first` on.
  private func track(
    _ number: Int, of album: String = "One", gains: (track: Double, album: Double)?,
    first: Int64 = 0
  ) -> PlaylistItem {
    let source = GeneratorSource(
      name: "\(album) \(number)", format: StepSource.format, frameCount: Self.length
    ) { samples, frame in
      for i in samples.indices {
        samples[i] = sinf(Float((first + frame + Int64(i)) % 4_800) * .pi / 240) / 2 + 0.25
      }
    }
    var tags = Tags()
    (tags.album, tags.trackNumber) = (album, "\(number)")
    if let gains {
      tags["REPLAYGAIN_TRACK_GAIN"] = ["\(gains.track) dB"]
      tags["REPLAYGAIN_ALBUM_GAIN"] = ["\(gains.album) dB"]
      tags["REPLAYGAIN_TRACK_PEAK"] = ["0.1"]
      tags["REPLAYGAIN_ALBUM_PEAK"] = ["0.1"]
    }
    return PlaylistItem(source, tags: tags)
  }

  private func factor(_ decibels: Double) -> Float { Float(pow(10, decibels / 20)) }

  private func playback(_ items: [PlaylistItem]) -> OfflinePlayback {
    let playback = OfflinePlayback(format: StepSource.format, fade: .none)
    playback.player.playlist.append(contentsOf: items)
    return playback
  }

  /// What is heard of items by a normalization, and without one.
  private func heard(
    _ items: [PlaylistItem], _ normalization: LoudnessNormalization,
    crossfade: ItemCrossfade? = nil
  ) -> (heard: [Float], plain: [Float]) {
    let (gained, plain) = (playback(items), playback(items))
    gained.player.loudnessNormalization = normalization
    for playback in [gained, plain] { playback.player.crossfade = crossfade }
    return (gained.playToEnd(), plain.playToEnd())
  }

  /// The factors by which items of `length` are heard.
  private func factors(
    _ items: [PlaylistItem], _ normalization: LoudnessNormalization
  ) -> [Float] {
    let (heard, plain) = heard(items, normalization)
    #expect(heard.count == plain.count)
    return items.indices.compactMap { n in
      let range = n * Int(Self.length)..<(n + 1) * Int(Self.length)
      let factor = heard[range.lowerBound + 100] / plain[range.lowerBound + 100]
      let worst = zip(heard[range], plain[range]).map { abs($0 - $1 * factor) }.max() ?? 1
      return worst < 1e-6 ? factor : nil
    }
  }

  private func expect(
    _ factors: [Float], are decibels: [Double], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(factors.count == decibels.count, sourceLocation: sourceLocation)
    for (found, wanted) in zip(factors, decibels) {
      #expect(
        abs(found - factor(wanted)) < 1e-6 * max(1, factor(wanted)), "\(wanted) dB",
        sourceLocation: sourceLocation)
    }
  }

  @Test(arguments: ["flac", "ogg", "wav"])
  func `a tag of -6.00 dB in a file scales by 10^-0.3`(type: String) throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/a.\(type)"
    try Tool.run(
      "ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "sine=d=1:r=48000", "-ac", "2", path])
    try Tool.mutagen(
      """
      import mutagen, mutagen.id3
      f = mutagen.File(path)
      if f.tags is None: f.add_tags()
      if path.endswith('wav'):
        f.tags.add(mutagen.id3.TXXX(desc='replaygain_track_gain', text=['-6.00 dB']))
      else:
        f['replaygain_track_gain'] = '-6.00 dB'
      f.save()
      """, path)
    let (gained, plain) = (OfflinePlayback([path]), OfflinePlayback([path]))
    gained.player.loudnessNormalization.mode = .track
    let (heard, whole) = (gained.playToEnd(), plain.playToEnd())
    #expect(heard.count == whole.count && heard.count > 90_000)
    let factor = Float(pow(10, -0.3))
    let worst = zip(heard, whole).map { abs($0 - $1 * factor) }.max() ?? 1
    #expect(worst < 1e-6)
    #expect((whole.max() ?? 0) > 0.05)
  }

  @Test func `a change of the mode while playing is a ramp of 5 ms from the next frame on`() {
    let items = [track(1, gains: (-9, -3))]
    let (gained, plain) = (playback(items), playback(items))
    gained.player.loudnessNormalization.mode = .track
    for playback in [gained, plain] { playback.player.play() }
    var (last, wanted) = (factor(-9), [Float](repeating: factor(-9), count: 3_000))
    var heard = gained.pull(3_000)
    wait { gained.player.currentItem != nil }
    #expect(gained.player.currentLoudnessGain == -9 && gained.player.currentGain == 0)
    let steps: [(LoudnessNormalization, Double)] = [
      (LoudnessNormalization(mode: .album), -3), (LoudnessNormalization(mode: .off), 0),
      (LoudnessNormalization(mode: .album, preamp: 2), -1),
      (LoudnessNormalization(mode: .track), -9),
    ]
    for (normalization, decibels) in steps {
      gained.player.loudnessNormalization = normalization
      gained.settle()
      heard += gained.pull(3_000)
      let step = (factor(decibels) - last) / 240
      wanted += (0..<3_000).map { $0 < 240 ? last + step * Float($0) : factor(decibels) }
      last = factor(decibels)
    }
    let expected = zip(plain.pull(wanted.count), wanted).map { $0 * $1 }
    let worst = zip(heard, expected).map { abs($0 - $1) }.max() ?? 1
    #expect(heard.count == expected.count && worst < 1e-6)
  }

  @Test func `by the album the joint of two tracks is that of the uncut album, quieter`() {
    let items = [
      track(1, gains: (-9, -4)), track(2, gains: (-1, -4), first: Self.length),
    ]
    let (heard, plain) = heard(items, LoudnessNormalization(mode: .album))
    #expect(firstDifference(heard, plain.map { $0 * Decibels.factor(-4) }) == nil)
    expect(factors(items, LoudnessNormalization(mode: .track)), are: [-9, -1])
  }

  @Test func `automatic is by the album between its tracks, and by the track elsewhere`() {
    func item(_ number: Int, _ album: String = "One") -> PlaylistItem {
      track(number, of: album, gains: (-10, -2))
    }
    let automatic = LoudnessNormalization(mode: .automatic)
    expect(
      factors(
        [item(1), item(2), item(7), item(5, "Two"), item(3), item(8, "Two"), item(9, "Two")],
        automatic),
      are: [-2, -2, -10, -10, -10, -2, -2])
    // The other way round is not the album's order.
    expect(factors([item(2), item(1)], automatic), are: [-10, -10])
    expect(factors([item(2)], automatic), are: [-10])
  }

  @Test func `automatic opens the neighbours of files, also where the mode changes while playing`()
    throws
  {
    let folder = try TemporaryFolder()
    let paths = try (1...3).map { number in
      let path = "\(folder.path)/\(number).flac"
      try Tool.run(
        "ffmpeg",
        ["-v", "error", "-f", "lavfi", "-i", "sine=d=3:r=48000", "-ac", "2"]
          + [
            "album=One", "track=\(number)", "replaygain_track_gain=-10 dB",
            "replaygain_album_gain=-2 dB",
          ].flatMap { ["-metadata", $0] } + [path])
      return path
    }
    let first = OfflinePlayback(paths)
    first.player.loudnessNormalization.mode = .automatic
    first.player.play()
    _ = first.pull(100)
    // It becomes current a moment later.
    wait { first.player.currentItem != nil }
    #expect(first.player.currentLoudnessGain == -2)

    let later = OfflinePlayback(paths)
    later.player.loudnessNormalization.mode = .track
    later.player.play()
    _ = later.pull(100)
    wait { later.player.currentItem != nil }
    #expect(later.player.currentLoudnessGain == -10)
    later.player.loudnessNormalization.mode = .automatic
    // The second file is opened on another thread.
    wait { later.player.currentLoudnessGain == -2 }

    let alone = OfflinePlayback([paths[0], paths[2]])
    alone.player.loudnessNormalization.mode = .automatic
    alone.player.play()
    _ = alone.pull(100)
    wait { alone.player.currentItem != nil }
    #expect(alone.player.currentLoudnessGain == -10)
  }

  @Test func `what the tags do not tell has the default gain, or the other of the two gains`() {
    var only = LoudnessNormalization(mode: .album, preamp: 3, defaultGain: -7)
    expect(factors([track(1, gains: nil)], only), are: [-7])
    #expect(only.gain(for: ReplayGain(track: .init(gain: -5)), isInAlbum: true) == -2)
    only.mode = .track
    #expect(only.gain(for: ReplayGain(album: .init(gain: -4)), isInAlbum: true) == -1)
    only.mode = .off
    #expect(only.gain(for: ReplayGain(track: .init(gain: -5)), isInAlbum: true) == 0)
  }

  @Test(
    arguments: [
      // gain, peak, preamp; with the guard, without
      (6.0, 0.5, 0, 6.0, 6.0), (8.0, 0.5, 0, 6.0206, 8.0), (-3.0, 1.5, 0, -3.5218, -3.0),
      (-3.0, 0.9, 6, 0.9151, 3.0), (4.0, nil, 0, 0.0, 4.0), (-4.0, nil, 2, -2.0, -2.0),
    ] as [(Double, Double?, Float, Float, Float)])
  func `the guard lets no peak beyond full scale`(
    gain: Double, peak: Double?, preamp: Float, guarded: Float, free: Float
  ) {
    let value = ReplayGain(track: .init(gain: gain, peak: peak))
    var normalization = LoudnessNormalization(mode: .track, preamp: preamp)
    #expect(abs(normalization.gain(for: value, isInAlbum: false) - guarded) < 1e-4)
    normalization.clippingGuard = .none
    #expect(normalization.gain(for: value, isInAlbum: false) == free)
  }

  @Test func `with overlaps it is heard as gains of the items are, by a player and a bounce`() {
    let crossfade = ItemCrossfade(
      duration: MediaTime(value: 10_000, timescale: 48_000), includesAlbums: true)
    let gains = [-9.0, -1, 5]
    let items = gains.indices.map { track($0 + 1, gains: (gains[$0], -4)) }
    let own = gains.indices.map { n in
      PlaylistItem(items[n].source!, gain: Float(gains[n]), tags: items[n].tags)
    }
    let wanted = heard(own, LoudnessNormalization(), crossfade: crossfade).heard
    let found = heard(items, LoudnessNormalization(mode: .track), crossfade: crossfade).heard
    #expect(firstDifference(found, wanted) == nil)
    let bounce = Bounce(
      items, format: StepSource.format, crossfade: crossfade,
      loudnessNormalization: LoudnessNormalization(mode: .track))
    var bounced: [Float] = []
    bounce.render { bounced += $0 }
    #expect(firstDifference(bounced, wanted) == nil)
    #expect(wanted.count < 3 * Int(Self.length))
  }

  @Test func `a change in an overlap makes no step`() {
    let crossfade = ItemCrossfade(
      duration: MediaTime(value: 20_000, timescale: 48_000), includesAlbums: true)
    for place in [21_000, 25_000, 35_000, 41_000] {
      let playback = playback([track(1, gains: (-9, -2)), track(2, gains: (-1, -2))])
      playback.player.crossfade = crossfade
      playback.player.loudnessNormalization.mode = .track
      playback.player.play()
      let before = playback.pull(place)
      playback.player.loudnessNormalization.mode = .album
      playback.settle()
      let all = before + playback.pullToEnd()
      // Two tones of 0.5 and 100 Hz step by 0.0066 each, and fall to another gain within 240 frames.
      let largest = zip(all.dropFirst(), all.dropFirst(2)).map { abs($0 - $1) }.max() ?? 1
      #expect(largest < 0.02, "at \(place)")
      let end = zip(all.suffix(1_000), playback.plainEnd(1_000)).map { abs($0 - $1 * factor(-2)) }
      #expect((end.max() ?? 1) < 1e-6, "at \(place)")
    }
  }

  @Test func `a limiter behind gains keeps a bounce below its ceiling`() {
    let items = [track(1, gains: (12, 12))]
    let loud = LoudnessNormalization(mode: .track, clippingGuard: .none)
    func peak(_ limiter: LimiterEffect?) -> Float {
      var (peak, count): (Float, Int) = (0, 0)
      let bounce = Bounce(
        items, format: StepSource.format, loudnessNormalization: loud, limiter: limiter)
      bounce.render { samples in
        peak = samples.reduce(peak) { max($0, abs($1)) }
        count += samples.count
      }
      #expect(count == Int(Self.length))
      return peak
    }
    #expect(peak(nil) > 2.9)
    #expect(abs(peak(LimiterEffect(ceiling: -1)) - factor(-1)) < 1e-6)
  }
}

extension OfflinePlayback {
  /// The last frames of an item of `LoudnessNormalizationTests`, as its source has them.
  fileprivate func plainEnd(_ count: Int) -> [Float] {
    (40_000 - count..<40_000).map { sinf(Float($0 % 4_800) * .pi / 240) / 2 + 0.25 }
  }
}
