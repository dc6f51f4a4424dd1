// SPDX-License-Identifier: Apache-2.0

import Foundation
import SampleBuffers
import SoundFiles
import TestFixtures
import Testing

/// Loudness in tags that mutagen has written, in each format's own way.
@Suite struct ReplayGainTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func value(
    _ options: String, _ name: String, _ script: String
  ) throws -> ReplayGain {
    let path = "\(folder.path)/\(name)"
    try Encoder(frames: 22_050).encode(options, to: path)
    try Tool.mutagen(script, path)
    return try SoundFile(path: path, pool: FramePool()).tags.replayGain
  }

  private static let expected = ReplayGain(
    track: .init(gain: -6.5, peak: 0.988553), album: .init(gain: 1.25, peak: 1.01))

  @Test(arguments: [
    ("-c:a flac", "a.flac"), ("-c:a libvorbis", "a.ogg"), ("-c:a flac", "a.oga"),
  ])
  func `comments of Vorbis`(options: String, name: String) throws {
    let found = try value(
      options, name,
      """
      import mutagen
      f = mutagen.File(path)
      f['REPLAYGAIN_TRACK_GAIN'], f['replaygain_track_peak'] = '-6.50 dB', '0.988553'
      f['ReplayGain_Album_Gain'], f['REPLAYGAIN_ALBUM_PEAK'] = '+1.25 dB', '1.010000'
      f['REPLAYGAIN_REFERENCE_LOUDNESS'] = '89.0 dB'
      f.save()
      """)
    var expected = Self.expected
    expected.statedReferenceLevel = -18
    #expect(found == expected)
  }

  @Test func `frames TXXX of ID3 in any case`() throws {
    let found = try value(
      "-c:a libmp3lame", "a.mp3",
      """
      from mutagen.id3 import ID3, TXXX
      f = ID3()
      for name, text in [('replaygain_track_gain', '-6.50 dB'),
          ('REPLAYGAIN_TRACK_PEAK', '0.988553'), ('ReplayGain_Album_Gain', '1.25 dB'),
          ('replaygain_album_peak', '1.01'), ('replaygain_reference_loudness', '-23.00 LUFS')]:
        f.add(TXXX(encoding=3, desc=name, text=[text]))
      f.save(path)
      """)
    var expected = Self.expected
    expected.statedReferenceLevel = -23
    #expect(found == expected)
  }

  @Test func `frames RVA2 of ID3, where there is no TXXX`() throws {
    let script = """
      from mutagen.id3 import ID3, RVA2, TXXX
      f = ID3()
      f.add(RVA2(desc='track', channel=1, gain=-6.5, peak=0.5))
      f.add(RVA2(desc='album', channel=1, gain=1.25, peak=0.75))
      f.add(RVA2(desc='something else', channel=1, gain=9, peak=0.25))
      """
    let found = try value("-c:a libmp3lame", "a.mp3", script + "\nf.save(path)")
    #expect(
      found
        == ReplayGain(
          track: .init(gain: -6.5, peak: 0.5), album: .init(gain: 1.25, peak: 0.75)))
    let both = try value(
      "-c:a libmp3lame", "b.mp3",
      script
        + "\nf.add(TXXX(encoding=0, desc='REPLAYGAIN_TRACK_GAIN', text=['-7 dB']))\nf.save(path)")
    #expect(both.track?.gain == -7 && both.album?.gain == 1.25)
  }

  @Test func `items of APEv2 behind an MP3 file`() throws {
    let found = try value(
      "-c:a libmp3lame", "a.mp3",
      """
      from mutagen.apev2 import APEv2
      f = APEv2()
      f['REPLAYGAIN_TRACK_GAIN'], f['REPLAYGAIN_TRACK_PEAK'] = '-6.50 dB', '0.988553'
      f['REPLAYGAIN_ALBUM_GAIN'], f['REPLAYGAIN_ALBUM_PEAK'] = '1.25 dB', '1.010000'
      f.save(path)
      """)
    #expect(found == Self.expected)
  }

  @Test func `items of iTunes in an MP4 file, of which iTunNORM is none`() throws {
    let found = try value(
      "-c:a aac", "a.m4a",
      """
      from mutagen.mp4 import MP4
      f = MP4(path)
      for name, text in [('replaygain_track_gain', '-6.50 dB'),
          ('REPLAYGAIN_TRACK_PEAK', '0.988553'), ('replaygain_album_gain', '1.25 dB'),
          ('replaygain_album_peak', '1.010000'), ('iTunNORM', ' 00000A00' * 10)]:
        f['----:com.apple.iTunes:' + name] = text.encode()
      f.save()
      """)
    #expect(found == Self.expected)
  }

  @Test func `Opus has 256th decibels to -23 LUFS, which come before others`() throws {
    let found = try value(
      "-c:a libopus", "a.opus",
      """
      from mutagen.oggopus import OggOpus
      f = OggOpus(path)
      f['R128_TRACK_GAIN'], f['R128_ALBUM_GAIN'] = '-2944', '256'
      f['REPLAYGAIN_TRACK_GAIN'], f['REPLAYGAIN_ALBUM_PEAK'] = '-20 dB', '0.5'
      f.save()
      """)
    // -11.5 dB and 1 dB, and 5 dB from -23 to -18 LUFS.
    #expect(found == ReplayGain(track: .init(gain: -6.5), album: .init(gain: 6, peak: 0.5)))
  }

  @Test(
    arguments: [
      ("-6.50 dB", -6.5), ("+3.2 dB", 3.2), ("-6,5 dB", -6.5), ("  -6.50dB ", -6.5),
      ("1.25 DB", 1.25),
      ("4", 4), ("", nil), ("loud", nil), ("-6.5 LUFS", nil), ("nan", nil), ("1e3 dB", nil),
      ("400 dB", nil), ("--6 dB", nil),
    ] as [(String, Double?)])
  func `gains are numbers of decibels`(text: String, gain: Double?) {
    var tags = Tags()
    tags["replaygain_track_gain"] = [text]
    #expect(tags.replayGain.track?.gain == gain)
    // What is none leaves room for another one.
    tags["replaygain_track_gain"] = [text, "-1 dB"]
    #expect(tags.replayGain.track?.gain == gain ?? -1)
  }

  @Test(
    arguments: [
      ("0.5", 0.5), ("1.230000", 1.23), ("0", nil), ("0.000000", nil), ("-1", nil), ("x", nil),
      ("inf", nil),
    ] as [(String, Double?)])
  func `peaks are numbers above zero`(text: String, peak: Double?) {
    var tags = Tags()
    tags["replaygain_track_gain"] = ["1 dB"]
    tags["replaygain_track_peak"] = [text]
    #expect(tags.replayGain.track == ReplayGain.Value(gain: 1, peak: peak))
  }

  @Test func `a peak alone is no loudness`() {
    var tags = Tags()
    tags["replaygain_track_peak"] = ["0.5"]
    #expect(tags.replayGain.isEmpty)
  }
}
