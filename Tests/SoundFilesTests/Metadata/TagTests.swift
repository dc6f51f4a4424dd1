// SPDX-License-Identifier: Apache-2.0

import SampleBuffers
import SoundFiles
import TestFixtures
import Testing

/// Tags as mutagen writes them, by the names that each format has for them.
@Suite struct TagTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// What all files below are given.
  private static let expected: [(Tags.Name, [String])] = [
    (.title, ["Überschrift – 題"]), (.artist, ["First", "Second; and more"]), (.album, ["Album"]),
    (.albumArtist, ["Various"]), (.composer, ["Who wrote it"]), (.genre, ["Rock", "Own"]),
    (.date, ["1999-12-31"]), (.comment, ["A remark"]), (.lyrics, ["Line one\nLine two"]),
    (.titleSort, ["Ueberschrift"]), (.artistSort, ["Artist, The"]), (.albumSort, ["Album, An"]),
    (.albumArtistSort, ["Var"]), (.composerSort, ["It, Who wrote"]), (.isrc, ["DEX123456789"]),
    ("Something", ["of its own", "twice"]),
  ]

  private func check(_ path: String, except missing: Set<Tags.Name> = []) throws {
    let tags = try SoundFile(path: path, pool: FramePool()).tags
    for (name, values) in Self.expected where !missing.contains(name) {
      #expect(tags[name] == values, "\(name) of \(path)")
    }
    #expect(tags.track == Tags.Place(number: 3, count: 12), "\(path)")
    #expect(tags.disc == Tags.Place(number: 1, count: 2), "\(path)")
  }

  /// A file of half a second, as ffmpeg encodes it.
  private func file(_ options: String, _ name: String) throws -> String {
    let path = "\(folder.path)/\(name)"
    try Encoder(frames: 22_050).encode(options, to: path)
    return path
  }

  private static let names = """
    TITLE=['Überschrift – 題'], ARTIST=['First', 'Second; and more'], ALBUM=['Album'],
    ALBUMARTIST=['Various'], COMPOSER=['Who wrote it'], GENRE=['Rock', 'Own'],
    DATE=['1999-12-31'], COMMENT=['A remark'], LYRICS=['Line one\\nLine two'],
    TITLESORT=['Ueberschrift'], ARTISTSORT=['Artist, The'], ALBUMSORT=['Album, An'],
    ALBUMARTISTSORT=['Var'], COMPOSERSORT=['It, Who wrote'], ISRC=['DEX123456789'],
    SOMETHING=['of its own', 'twice']
    """

  @Test(arguments: ["a.wav", "a.caf", "a.w64"])
  func `lists of WAVE and CAF have the track, and CAF all else`(name: String) throws {
    let path = try file(
      "-metadata title=T -metadata artist=A -metadata album=B -metadata track=3/12 "
        + "-metadata genre=G -metadata composer=C -metadata disc=1/2", name)
    let tags = try SoundFile(path: path, pool: FramePool()).tags
    guard name != "a.w64" else { return #expect(tags.isEmpty) }
    #expect(tags.title == "T" && tags.artist == "A" && tags.album == "B")
    #expect(tags.track == Tags.Place(number: 3, count: 12))
    #expect(tags.genre == "G")
    guard name == "a.caf" else { return }
    #expect(tags.composer == "C")
    #expect(tags.disc == Tags.Place(number: 1, count: 2))
  }

  @Test(arguments: [
    ("-c:a flac", "a.flac", "mutagen.flac.FLAC"),
    ("-c:a libvorbis", "a.ogg", "mutagen.oggvorbis.OggVorbis"),
    ("-c:a libopus", "a.opus", "mutagen.oggopus.OggOpus"),
    ("-c:a flac", "f.oga", "mutagen.oggflac.OggFLAC"),
    ("-c:a libspeex -ar 16000 -ac 1", "a.spx", "mutagen.oggspeex.OggSpeex"),
  ])
  func `comments of Vorbis have their values one by one`(
    options: String, name: String, type: String
  ) throws {
    let path = try file(options, name)
    try Tool.mutagen(
      """
      import \(type.split(separator: ".").dropLast().joined(separator: "."))
      f = \(type)(path)
      if f.tags is None: f.add_tags()
      for name, values in dict(\(Self.names)).items(): f[name] = values
      f['TRACKNUMBER'], f['TRACKTOTAL'] = '3', '12'
      f['DISCNUMBER'] = '1/2'
      f.save()
      """, path)
    if name == "a.spx" {
      // libavformat has one text for several values.
      let tags = try SoundFile(path: path, pool: FramePool()).tags
      #expect(tags.title == "Überschrift – 題" && tags.albumArtist == "Various")
    } else {
      try check(path)
    }
  }

  private static let id3 = """
    import mutagen.id3
    globals().update(vars(mutagen.id3))
    t = [TIT2(3, ['Überschrift – 題']), TPE1(3, ['First', 'Second; and more']), TALB(1, ['Album']),
      TPE2(2, ['Various']), TCOM(0, ['Who wrote it']), TCON(3, ['17', 'Own']),
      TDRC(3, ['1999-12-31']), COMM(1, 'eng', '', ['A remark']),
      COMM(0, 'eng', 'iTunNORM', ['0000']), USLT(1, 'eng', '', 'Line one\\nLine two'),
      TSOT(3, ['Ueberschrift']), TSOP(3, ['Artist, The']), TSOA(3, ['Album, An']),
      TSO2(3, ['Var']), TSOC(3, ['It, Who wrote']), TSRC(3, ['DEX123456789']),
      TXXX(1, 'Something', ['of its own', 'twice']), TRCK(3, ['3/12']), TPOS(3, ['1/2'])]
    """

  @Test(arguments: [
    ("-c:a libmp3lame", "a.mp3", "mutagen.mp3.MP3"),
    ("-c:a pcm_s16le", "a.wav", "mutagen.wave.WAVE"),
    ("-c:a pcm_s16be", "a.aiff", "mutagen.aiff.AIFF"),
    ("-c:a tta", "a.tta", "mutagen.trueaudio.TrueAudio"),
  ])
  func `frames of ID3v2 have their values one by one`(
    options: String, name: String, type: String
  ) throws {
    let path = try file(options, name)
    try Tool.mutagen(
      """
      import \(type.split(separator: ".").dropLast().joined(separator: "."))
      \(Self.id3)
      f = \(type)(path)
      if f.tags is None: f.add_tags()
      for frame in t: f.tags.add(frame)
      f.save()
      """, path)
    try check(path)
  }

  @Test(arguments: [
    "UTF-16", "unsynchronised", "unsynchronised, says its header alone", "with an extended header",
    "of version 2.3",
  ])
  func `an ID3v2 tag reads the same however it is written`(kind: String) throws {
    let path = try file("-c:a libmp3lame -write_xing 0", "a.mp3")
    try Tool.mutagen(
      """
      \(Self.id3)
      from mutagen.id3._util import BitPaddedInt
      tags = ID3()
      for frame in t: tags.add(frame)
      kind = sys.argv[2]
      if kind == 'of version 2.3': tags.update_to_v23()
      old = open(path, 'rb').read()
      if old[:3] == b'ID3': old = old[10 + BitPaddedInt(old[6:10]):]
      import io
      out = io.BytesIO()
      if kind == 'UTF-16' or 'alone' in kind:
        for frame in tags.values():
          if hasattr(frame, 'encoding'): frame.encoding = 1
      tags.save(out, v2_version=3 if kind == 'of version 2.3' else 4, v1=0, v23_sep=None)
      data = out.getvalue()
      head, body = data[:10], data[10:]
      flags = 0
      size = lambda n: bytes(((n >> s) & 127) for s in (21, 14, 7, 0))
      if kind == 'with an extended header':
        body, flags = size(6) + b'\\x01\\x00' + body, 0x40
      if kind.startswith('unsynchronised'):
        # Each frame by itself, as 2.4 has it, with the length that it had.
        frames, rest = b'', body
        while rest[:4].strip(b'\\0'):
          n = BitPaddedInt(rest[4:8])
          content = rest[10:10 + n]
          made = b''
          for i, byte in enumerate(content):
            made += bytes([byte])
            following = content[i + 1] if i + 1 < n else 0
            if byte == 0xFF and (following >= 0xE0 or following == 0): made += b'\\0'
          if 'alone' in kind:
            frames += rest[:4] + size(len(made)) + b'\\x00\\x00' + made
          else:
            frames += rest[:4] + size(len(made) + 4) + b'\\x00\\x03' + size(n) + made
          rest = rest[10 + n:]
        body, flags = frames, 0x80
      open(path, 'wb').write(b'ID3' + head[3:5] + bytes([flags]) + size(len(body)) + body + old)
      """, path, kind)
    if kind == "of version 2.3" {
      let tags = try SoundFile(path: path, pool: FramePool()).tags
      #expect(
        tags[.artist] == ["First", "Second; and more"] && tags.lyrics == "Line one\nLine two")
      #expect(tags[.title] == ["Überschrift – 題"] && tags.date == "1999")
    } else {
      try check(path)
    }
  }

  @Test func `a whole tag of ID3v2-3 may be unsynchronised, and 2-2 has names of three letters`()
    throws
  {
    let stream = try MPEGFrames(of: "formats/mp3-cbr-no-header.mp3").stream(4)
    func size(_ count: Int) -> [UInt8] { (0..<4).map { UInt8(count >> (7 * (3 - $0)) & 0x7F) } }
    func big(_ count: Int, _ bytes: Int) -> [UInt8] {
      (0..<bytes).map { UInt8(truncatingIfNeeded: count >> (8 * (bytes - 1 - $0))) }
    }
    // UTF-16 with a mark of two bytes, each 0xFF of which has a zero behind it in the file.
    let text: [UInt8] = [1, 0xFF, 0xFE] + "Ay".utf8.flatMap { [$0, 0] }
    let frame = Array("TIT2".utf8) + big(text.count, 4) + [0, 0] + text
    let other = Array("TALB".utf8) + big(4, 4) + [0, 0] + [0] + Array("Alb".utf8)
    let body = (frame + other).flatMap { $0 == 0xFF ? [0xFF, 0] : [$0] }
    let tag = Array("ID3".utf8) + [3, 0, 0x80] + size(body.count) + body
    let tags = try SoundFile(tag + stream, name: "a.mp3", pool: FramePool()).tags
    #expect(tags.title == "Ay" && tags.album == "Alb")

    // Of 2.4 each frame, which is not where it has a mark in it, whatever the header says.
    let mark: [UInt8] = [1, 0xFF, 0xFE, 0xFF, 0, 0x41, 0]
    let mine = Array("TIT2".utf8) + big(mark.count, 4) + [0, 0] + mark
    let mineTag = Array("ID3".utf8) + [4, 0, 0x80] + size(mine.count) + mine
    #expect(try SoundFile(mineTag + stream, name: "a.mp3", pool: FramePool()).tags.title == "ÿA")

    let old = Array("TT2".utf8) + big(4, 3) + [0] + Array("Two".utf8)
    let oldTag = Array("ID3".utf8) + [2, 0, 0] + size(old.count) + old
    #expect(try SoundFile(oldTag + stream, name: "a.mp3", pool: FramePool()).tags.title == "Two")

    // Sizes of eight bits a byte, as iTunes wrote them under the name of 2.4.
    let long = [0] + [UInt8](repeating: 0x61, count: 300)
    let wrong = Array("TIT2".utf8) + big(long.count, 4) + [0, 0] + long + other
    let wrongTag = Array("ID3".utf8) + [4, 0, 0] + size(wrong.count) + wrong
    let read = try SoundFile(wrongTag + stream, name: "a.mp3", pool: FramePool()).tags
    #expect(read.title?.count == 300 && read.album == "Alb")
  }

  @Test func `an MP4 file's items have their values one by one`() throws {
    let path = try file("-c:a aac", "a.m4a")
    try Tool.mutagen(
      """
      from mutagen.mp4 import *
      f = MP4(path)
      if f.tags is None: f.add_tags()
      f.tags.update({'\\xa9nam': ['Überschrift – 題'], '\\xa9ART': ['First', 'Second; and more'],
        '\\xa9alb': ['Album'], 'aART': ['Various'], '\\xa9wrt': ['Who wrote it'],
        '\\xa9gen': ['Rock', 'Own'], '\\xa9day': ['1999-12-31'], '\\xa9cmt': ['A remark'],
        '\\xa9lyr': ['Line one\\nLine two'], 'sonm': ['Ueberschrift'], 'soar': ['Artist, The'],
        'soal': ['Album, An'], 'soaa': ['Var'], 'soco': ['It, Who wrote'], 'trkn': [(3, 12)],
        'disk': [(1, 2)], 'tmpo': [120], 'cpil': True,
        '----:com.apple.iTunes:ISRC': [b'DEX123456789'],
        '----:com.apple.iTunes:iTunNORM': [b' 0000'],
        '----:com.apple.iTunes:Something': [b'of its own', b'twice']})
      f.save()
      """, path)
    try check(path)
    let tags = try SoundFile(path: path, pool: FramePool()).tags
    #expect(tags[.beatsPerMinute] == ["120"] && tags[.compilation] == ["1"])
    #expect(!tags.names.contains { $0.rawValue.hasPrefix("itun") || $0.rawValue.contains("brand") })
  }

  @Test(arguments: [
    ("-c:a wavpack", "a.wv", "mutagen.wavpack.WavPack"),
    ("-c:a libmp3lame -id3v2_version 0", "a.mp3", "mutagen.apev2.APEv2File"),
  ])
  func `an APE tag's items have their values one by one`(
    options: String, name: String, type: String
  ) throws {
    let path = try file(options, name)
    try Tool.mutagen(
      """
      from mutagen.apev2 import APEv2
      t = APEv2()
      names = dict(\(Self.names))
      for old, new in [('ALBUMARTIST', 'Album Artist'), ('DATE', 'Year')]: names[new] = names.pop(old)
      for name, values in names.items(): t[name] = values
      t['Track'], t['Disc'] = '3/12', '1/2'
      t.save(path)
      """, path)
    try check(path)
  }

  @Test func `a Matroska file's tags are told by their levels`() throws {
    let source = try file("-c:a libopus", "a.opus")
    let path = "\(folder.path)/a.mka"
    func tag(_ level: Int, _ values: [(String, String)]) -> String {
      "<Tag><Targets><TargetTypeValue>\(level)</TargetTypeValue></Targets>"
        + values.map { "<Simple><Name>\($0)</Name><String>\($1)</String></Simple>" }.joined()
        + "</Tag>"
    }
    let xml = """
      <?xml version="1.0"?><Tags>
      \(tag(50, [("TITLE", "Album"), ("ARTIST", "Various"), ("TOTAL_PARTS", "12")]))
      \(tag(30, [("TITLE", "Überschrift – 題"), ("ARTIST", "First"), ("ARTIST", "Second; and more"),
        ("PART_NUMBER", "3"), ("DATE_RELEASED", "1999-12-31")]))
      </Tags>
      """
    let list = try folder.file("tags.xml", xml.utf8)
    try Tool.run("mkvmerge", ["-q", "-o", path, "--global-tags", list, source])
    let tags = try SoundFile(path: path, pool: FramePool()).tags
    #expect(tags.title == "Überschrift – 題" && tags[.artist] == ["First", "Second; and more"])
    #expect(tags.album == "Album" && tags.albumArtist == "Various" && tags.date == "1999-12-31")
    #expect(tags.track == Tags.Place(number: 3, count: 12))
  }

  @Test func `places are read of whatever is written for them`() {
    func place(_ track: String?, _ total: String? = nil) -> Tags.Place? {
      var tags = Tags()
      tags.trackNumber = track
      if let total { tags[.trackTotal] = [total] }
      return tags.track
    }
    #expect(place("3") == Tags.Place(number: 3, count: nil))
    #expect(place("03/12") == Tags.Place(number: 3, count: 12))
    #expect(place("3 of 12") == Tags.Place(number: 3, count: 12))
    #expect(place("3", "12") == Tags.Place(number: 3, count: 12))
    #expect(place("/12") == Tags.Place(number: nil, count: 12))
    #expect(place(nil, "12") == Tags.Place(number: nil, count: 12))
    #expect(place(nil) == nil && place("A") == nil)
    #expect(place("99999999999999999999") == nil)
  }

  @Test func `names mean the same however they are spelled`() {
    let spellings: [Tags.Name] = ["ALBUMARTIST", "Album Artist", "album_artist", "Album-Artist"]
    #expect(spellings.allSatisfy { $0 == .albumArtist })
    #expect(Tags.Name("My OWN") == Tags.Name("my own") && Tags.Name("Own").rawValue == "own")
    var tags = Tags()
    tags["artist"] = ["a", "b"]
    #expect(tags.artist == "a; b")
    tags.artist = nil
    #expect(tags.isEmpty && tags == Tags())
  }
}
