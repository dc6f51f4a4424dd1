// SPDX-License-Identifier: Apache-2.0

import AttaccaLoudness
import Foundation
import SampleBuffers
import SoundFiles
import TestFixtures
import Testing

/// Loudness in the tags of files, as mutagen reads them, beside what must stay as it was.
@Suite struct TagWritingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A file of noise in a tone, with tags, as ffmpeg encodes it.
  private func file(_ options: String, _ name: String) throws -> String {
    let path = "\(folder.path)/\(name)"
    try Tool.run(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "anoisesrc=d=3:c=pink:r=44100:a=0.3:seed=5", "-ac", "2"]
        + options.split(separator: " ").map(String.init)
        + ["-metadata", "title=Überschrift", "-metadata", "artist=Someone", path])
    return path
  }

  private static let loudness = ReplayGain(
    track: .init(gain: -6.5, peak: 0.9885531), album: .init(gain: 1.25, peak: 1.01))

  private func write(_ path: String, _ loudness: ReplayGain = loudness) throws {
    let found = try #require(try FileLoudness(path: BytePath(path)))
    #expect(try LoudnessTags.write(loudness, to: BytePath(path), decodingTo: found.digest))
  }

  /// What ffmpeg decodes of a file: one number for all of it.
  private func sound(_ path: String) throws -> String {
    try Tool.run("ffmpeg", ["-v", "error", "-i", path, "-map", "0:a", "-f", "md5", "-"])
  }

  /// Names that end in `_gain` and `_peak` in lower case, with their values, by mutagen.
  private func byMutagen(_ path: String) throws -> [String: String] {
    let text = try Tool.mutagen(
      """
      import mutagen
      for name, value in mutagen.File(path).tags.items():
        key = name.lower().split(':')[-1]
        if key.endswith('_gain') or key.endswith('_peak') or name.startswith('RVA2'):
          value = value.text if hasattr(value, 'text') else value
          value = value[0] if isinstance(value, list) else value
          print(key, value.decode() if isinstance(value, bytes) else value, sep='=')
      """, path)
    return Dictionary(
      text.split(separator: "\n").map { line in
        let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
        return (parts[0], parts[1])
      }, uniquingKeysWith: { "\($0) and \($1)" })
  }

  private static let expected = [
    "replaygain_track_gain": "-6.50 dB", "replaygain_track_peak": "0.988554",
    "replaygain_album_gain": "1.25 dB", "replaygain_album_peak": "1.010000",
  ]

  @Test(arguments: [
    ("-c:a flac", "a.flac"), ("-c:a libvorbis", "a.ogg"), ("-c:a libmp3lame -b:a 128k", "a.mp3"),
    ("-c:a libmp3lame -id3v2_version 3 -write_id3v1 1", "v3.mp3"), ("-c:a aac", "a.m4a"),
    ("-c:a aac -movflags faststart", "f.m4a"), ("-c:a alac", "l.m4a"),
  ])
  func `mutagen reads what was written, and the sound is the same`(options: String, name: String)
    throws
  {
    let path = try file(options, name)
    let (before, sound) = (try FileLoudness(path: BytePath(path)), try sound(path))
    try write(path)
    #expect(try byMutagen(path) == Self.expected)
    #expect(try self.sound(path) == sound)
    let after = try #require(try FileLoudness(path: BytePath(path)))
    #expect(after.digest == before?.digest)
    #expect(after.tags.title == "Überschrift" && after.tags.artist == "Someone")
    var expected = Self.loudness
    expected.track?.peak = 0.988554
    #expect(after.tags.replayGain == expected)
    // Again, with other values and without those of an album, which stay.
    try write(path, ReplayGain(track: .init(gain: 2, peak: 0.5)))
    var again = Self.expected
    (again["replaygain_track_gain"], again["replaygain_track_peak"]) = ("2.00 dB", "0.500000")
    #expect(try byMutagen(path) == again)
  }

  @Test func `Opus has numbers of its own, and no others beside them`() throws {
    let path = try file("-c:a libopus", "a.opus")
    try Tool.mutagen(
      """
      import mutagen.oggopus
      f = mutagen.oggopus.OggOpus(path)
      f['REPLAYGAIN_TRACK_GAIN'] = '-3 dB'
      f.save()
      """, path)
    let sound = try sound(path)
    try write(path)
    // -11.5 dB and -3.75 dB to -23 LUFS.
    #expect(try byMutagen(path) == ["r128_track_gain": "-2944", "r128_album_gain": "-960"])
    #expect(try self.sound(path) == sound)
    let tags = try SoundFile(path: path, pool: FramePool()).tags
    #expect(tags.replayGain.track?.gain == -6.5 && tags.replayGain.album?.gain == 1.25)
  }

  @Test func `the bytes of FLAC's frames are the same`() throws {
    let path = try file("-c:a flac", "a.flac")
    func frames() throws -> Data {
      let data = try Data(contentsOf: URL(filePath: path))
      // Behind the last of the blocks of metadata.
      var place = 4
      while true {
        let size = Int(data[place + 1]) << 16 | Int(data[place + 2]) << 8 | Int(data[place + 3])
        defer { place += 4 + size }
        if data[place] & 0x80 != 0 { return data[(place + 4 + size)...] }
      }
    }
    let before = Data(try frames())
    try write(path)
    let after = Data(try frames())
    #expect(before.count > 100_000 && after == before)
  }

  @Test func `older values in other spellings and other tags of ID3 and APE go`() throws {
    let path = try file("-c:a libmp3lame", "a.mp3")
    try Tool.mutagen(
      """
      from mutagen.id3 import ID3, RVA2, TXXX
      from mutagen.apev2 import APEv2
      f = ID3(path)
      f.add(TXXX(encoding=0, desc='replaygain_track_gain', text=['9 dB']))
      f.add(TXXX(encoding=0, desc='something', text=['else']))
      f.add(RVA2(desc='track', channel=1, gain=9, peak=0.5))
      f.add(RVA2(desc='own', channel=1, gain=3, peak=0.5))
      f.save(path)
      a = APEv2()
      a['Replaygain_Track_Gain'], a['Title'] = '9 dB', 'Ape'
      a.save(path)
      """, path)
    try write(path)
    var expected = Self.expected
    let found = try byMutagen(path)
    expected["own"] = found["own"]
    #expect(found == expected && found["own"] != nil)
    let ape = try Tool.mutagen(
      """
      from mutagen.apev2 import APEv2
      a = APEv2(path)
      print(a['replaygain_track_gain'], a['title'], sep='|')
      """, path)
    #expect(ape == "-6.50 dB|Ape\n")
    #expect(try SoundFile(path: path, pool: FramePool()).tags["something"] == ["else"])
  }

  @Test func `pictures and chapters stay`() throws {
    let path = try file("-c:a flac", "a.flac")
    try Tool.mutagen(
      """
      import mutagen.flac
      f = mutagen.flac.FLAC(path)
      f['CHAPTER000'], f['CHAPTER000NAME'] = '00:00:01.000', 'One'
      p = mutagen.flac.Picture()
      p.data, p.type, p.mime = b'x' * 30000, 3, 'image/png'
      f.add_picture(p)
      f.save()
      """, path)
    try write(path)
    let file = try SoundFile(path: path, pool: FramePool())
    #expect(try file.pictures().map(\.byteCount) == [30_000])
    #expect(file.chapters.map(\.title) == ["One"])
  }

  @Test func `rights, attributes and a link stay, and nothing else is left in the folder`() throws {
    let path = try file("-c:a flac", "a.flac")
    let link = "\(folder.path)/link.flac"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "a.flac")
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    let set = "import os; os.setxattr(path, 'user.note', b'mine')"
    let hasAttributes = (try? Tool.mutagen(set, path)) != nil
    try write(link)
    #expect(try byMutagen(path) == Self.expected)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o640)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "a.flac")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.sorted() == ["a.flac", "link.flac"])
    if hasAttributes {
      let note = try Tool.mutagen("import os; print(os.getxattr(path, 'user.note'))", path)
      #expect(note == "b'mine'\n")
    }
  }

  @Test func `a file that is not what was measured stays as it was`() throws {
    let path = try file("-c:a flac", "a.flac")
    let other = try #require(try FileLoudness(path: BytePath(try file("-c:a libvorbis", "b.ogg"))))
    let before = try Data(contentsOf: URL(filePath: path))
    let error = #expect(throws: SoundFileError.self) {
      try LoudnessTags.write(Self.loudness, to: BytePath(path), decodingTo: other.digest)
    }
    #expect(error?.kind == .unwritable && error?.cause.contains("not what was measured") == true)
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
  }

  @Test(arguments: [
    ("-c:a pcm_s16le", "a.wav"), ("-c:a flac -f ogg", "a.oga"), ("-c:a wavpack", "a.wv"),
  ])
  func `what has no tags that are written here is refused`(options: String, name: String) throws {
    let path = try file(options, name)
    let before = try Data(contentsOf: URL(filePath: path))
    let error = #expect(throws: SoundFileError.self) { try write(path) }
    #expect(error?.kind == .unsupported)
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
  }
}
