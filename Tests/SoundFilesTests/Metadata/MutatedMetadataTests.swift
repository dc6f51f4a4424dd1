// SPDX-License-Identifier: Apache-2.0

import SampleBuffers
import SoundFiles
import TestFixtures
import TestSeeds
import Testing

/// Tags, chapters and pictures of files that somebody has damaged, or made up.
@Suite struct MutatedMetadataTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let names = """
    import base64, struct
    import mutagen.id3, mutagen.flac, mutagen.mp4, mutagen.asf, mutagen.apev2
    globals().update(vars(mutagen.id3))
    png = b'\\x89PNG' * 50

    """
  private struct Tagged {
    let name: String
    let options: String
    let script: String
    init(_ name: String, _ options: String, _ script: String) {
      (self.name, self.options, self.script) = (name, options, script)
    }
  }

  private static let files = [
    Tagged(
      "a.mp3", "-c:a libmp3lame",
      """
      t = ID3(path)
      def chap(i): return CHAP(element_id=i, start_time=1, end_time=2, start_offset=0, end_offset=0, sub_frames=[TIT2(3, [i])])
      for f in [chap('a'), chap('b'), CTOC('t', 3, ['p', 'b'], []), CTOC('p', 1, ['a'], [TIT2(3, ['P'])]),
        APIC(1, 'image/png', 3, 'Cover', png), USLT(1, 'eng', '', 'x'), TXXX(1, 'n', ['v', 'w'])]: t.add(f)
      t.save()
      """
    ),
    Tagged(
      "a.m4a", "-c:a aac",
      """
      f = mutagen.mp4.MP4(path)
      if f.tags is None: f.add_tags()
      f.tags['covr'] = [mutagen.mp4.MP4Cover(png, 14)]
      f.tags['\\xa9nam'], f.tags['trkn'] = ['T'], [(1, 2)]
      f.tags['----:com.apple.iTunes:Own'] = [b'a', b'b']
      f.save()
      """
    ),
    Tagged(
      "a.wma", "-c:a wmav2",
      """
      f = mutagen.asf.ASF(path)
      text = lambda s: s.encode('utf-16-le') + b'\\0\\0'
      f['WM/Picture'] = mutagen.asf.ASFByteArrayAttribute(
        struct.pack('<bi', 3, len(png)) + text('image/png') + text('c') + png)
      f.save()
      """
    ),
    Tagged(
      "a.wv", "-c:a wavpack",
      """
      t = mutagen.apev2.APEv2()
      t['Cover Art (Front)'] = mutagen.apev2.APEValue(b'c\\0' + png, 1)
      t['Title'] = ['a', 'b']
      t.save(path)
      """
    ),
    Tagged(
      "a.opus", "-c:a libopus",
      """
      import mutagen.oggopus
      f = mutagen.oggopus.OggOpus(path)
      p = mutagen.flac.Picture()
      p.data, p.mime = png, 'image/png'
      f['METADATA_BLOCK_PICTURE'] = [base64.b64encode(p.write()).decode()]
      f['CHAPTER001'], f['CHAPTER001NAME'] = '00:00:01.000', 'One'
      f.save()
      """
    ),
    Tagged("a.mka", "-c:a libopus", ""),
  ]

  private func whole(_ file: Tagged) throws -> [UInt8] {
    let path = "\(folder.path)/\(file.name)"
    guard file.name == "a.mka" else {
      try Encoder(frames: 5_000).encode(file.options, to: path)
      try Tool.mutagen(Self.names + file.script, path)
      return try TemporaryFolder.bytes(at: path)
    }
    let source = "\(folder.path)/source.opus"
    try Encoder(frames: 5_000).encode(file.options, to: source)
    let atom = "<ChapterAtom><ChapterTimeStart>00:00:00.01</ChapterTimeStart>"
    let xml =
      "<?xml version=\"1.0\"?><Chapters><EditionEntry>\(atom)\(atom)</ChapterAtom></ChapterAtom></EditionEntry></Chapters>"
    let cover = try folder.file("cover.png", [UInt8](repeating: 0x89, count: 300))
    try Tool.run(
      "mkvmerge",
      [
        "-q", "-o", path, "--chapters", try folder.file("c.xml", xml.utf8),
        "--attachment-mime-type",
      ]
        + ["image/png", "--attach-file", cover, source])
    return try TemporaryFolder.bytes(at: path)
  }

  @Test(arguments: files.indices)
  func `mutated tags are read or left, and never end what reads them`(index: Int) throws {
    var numbers = SplitMix64()
    let file = Self.files[index]
    let whole = try whole(file)
    #expect(try SoundFile(whole, name: file.name, pool: FramePool()).pictures().count == 1)
    for round in 0..<60 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...12, using: &numbers) {
        let place = Int.random(in: 0..<bytes.count, using: &numbers)
        // Sizes are what leads astray: all ones, and next to none.
        bytes[place] =
          round % 3 == 0
          ? [0xFF, 0, 0x7F, 1].randomElement(using: &numbers)!
          : .random(in: 0...255, using: &numbers)
      }
      if round % 7 == 0 { bytes.removeLast(Int.random(in: 1..<bytes.count / 2, using: &numbers)) }
      try Self.read(bytes, file.name, seed: numbers.seed)
    }
  }

  private static func read(_ bytes: [UInt8], _ name: String, seed: UInt64) throws {
    do throws(SoundFileError) {
      let sound = try SoundFile(bytes, name: name, pool: FramePool())
      #expect(sound.chapters.flattened.count < 10_100, "seed \(seed)")
      for picture in try sound.pictures() {
        #expect(picture.byteCount <= bytes.count, "seed \(seed)")
        _ = try sound.bytes(of: picture)
      }
      _ = try sound.read(frames: 100)
    } catch {
      #expect(error.path == name, "seed \(seed)")
    }
  }
}
