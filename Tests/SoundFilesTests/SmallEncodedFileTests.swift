// SPDX-License-Identifier: Apache-2.0

import SampleBuffers
import SoundFiles
import TestFixtures
import Testing

/// Files of one frame, one packet and 100 ms of every kind that ffmpeg makes, with tags before and behind what there
/// is: the sound is the same whatever stands around it.
@Suite struct SmallEncodedFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  struct Kind: Sendable, CustomTestStringConvertible {
    let options: String
    let name: String
    /// Frames of a packet of the code.
    var packet = 1_024
    var rate = 44_100
    /// As many frames are heard as were encoded, from so many on; nil where the file does not tell.
    var exactFrom: Int? = 1
    /// Frames from which on ffmpeg writes a file that it plays itself.
    var least = 1
    /// ID3v2 may stand in front, and is read; what stands behind is too.
    var isTagged = false
    var testDescription: String { name }
  }

  static let kinds = [
    Kind(options: "-c:a alac", name: "alac.m4a", packet: 4_096),
    Kind(options: "-c:a aac", name: "aac.m4a"),
    Kind(options: "-c:a aac", name: "a.aac", exactFrom: nil, least: 1_024, isTagged: true),
    Kind(options: "-c:a aac", name: "aac.mka", exactFrom: nil),
    Kind(options: "-c:a aac", name: "a.ts", exactFrom: nil),
    Kind(options: "-c:a flac", name: "a.flac", packet: 4_608, isTagged: true),
    Kind(options: "-c:a flac", name: "f.oga", packet: 4_608),
    Kind(options: "-c:a flac", name: "f.mka", packet: 4_608),
    Kind(options: "-c:a libopus", name: "a.opus", packet: 960, rate: 48_000),
    Kind(options: "-c:a libopus", name: "o.webm", packet: 960, rate: 48_000),
    Kind(options: "-c:a libvorbis", name: "a.ogg", packet: 1_024),
    Kind(options: "-c:a libvorbis", name: "v.mka", packet: 1_024, exactFrom: nil),
    Kind(
      options: "-c:a libmp3lame", name: "a.mp3", packet: 1_152, exactFrom: 1_152, isTagged: true),
    Kind(options: "-c:a libmp3lame", name: "m.mka", packet: 1_152, exactFrom: nil),
    Kind(options: "-c:a mp2", name: "a.mp2", packet: 1_152, exactFrom: nil, isTagged: true),
    Kind(options: "-c:a tta", name: "a.tta", packet: 46_080, isTagged: true),
    Kind(options: "-c:a wavpack", name: "a.wv", packet: 22_050, isTagged: true),
    Kind(options: "-c:a ac3", name: "a.ac3", packet: 1_536, exactFrom: nil, isTagged: true),
    Kind(options: "-c:a eac3", name: "a.eac3", packet: 1_536, exactFrom: nil, isTagged: true),
    Kind(options: "-c:a wmav2", name: "a.wma", packet: 2_048, exactFrom: nil),
    Kind(
      options: "-c:a libspeex -ar 16000 -ac 1", name: "a.spx", packet: 1_024, exactFrom: nil,
      least: 1_024),
    Kind(options: "-c:a pcm_s16le", name: "a.wav"), Kind(options: "-c:a pcm_s16be", name: "a.aiff"),
    Kind(options: "-c:a pcm_s16be", name: "a.caf"),
    Kind(options: "-c:a pcm_s16le", name: "a.w64", exactFrom: 2),
    Kind(options: "-c:a pcm_s16be", name: "a.au"),
    Kind(options: "-c:a adpcm_swf", name: "a.flv", exactFrom: nil),
  ]

  private func decoded(_ bytes: [UInt8], _ name: String) throws -> (SoundFile, [Float]) {
    let file = try SoundFile(bytes, name: name, pool: FramePool())
    file.lengthSearch?.run()
    let told = file.frameCount
    let samples = try Decoded(rest: file).samples
    let count = samples.count / file.format.channelCount
    #expect(told == nil || told == Int64(count), "\(name)")
    try file.seek(to: Int64(max(0, count - 1)))
    #expect(try file.read(frames: 10)?.frameCount ?? 0 == min(count, 1), "\(name)")
    return (file, samples)
  }

  @Test(arguments: kinds)
  func `a file of next to nothing sounds the same with any tag before and behind it`(kind: Kind)
    throws
  {
    for frames in Set([1, kind.packet, kind.rate / 10]).sorted() where frames >= kind.least {
      let path = "\(folder.path)/\(kind.name)"
      let encoder = Encoder(frames: frames, sampleRate: kind.rate)
      try encoder.encode(kind.options, to: path)
      let bytes = try TemporaryFolder.bytes(at: path)
      let (plain, samples) = try decoded(bytes, kind.name)
      if let exact = kind.exactFrom, frames >= exact {
        #expect(samples.count == frames * plain.format.channelCount, "\(frames) frames")
      }
      if case .lossy = plain.fileFormat.encoding {
      } else {
        #expect(samples.starts(with: encoder.samples))
      }
      let tags: [(front: [UInt8], back: [UInt8], title: String)] = [
        ([], TagBytes.id3v1(), "One"), ([], TagBytes.ape(), "Ape"),
        ([], TagBytes.ape() + TagBytes.id3v1(), "Ape"),
        (TagBytes.id3v2(), [], "Two"), (TagBytes.id3v2(), TagBytes.id3v1(), "Two"),
      ]
      for tag in tags where tag.front.isEmpty || kind.isTagged {
        let (file, heard) = try decoded(tag.front + bytes + tag.back, kind.name)
        #expect(
          heard == samples,
          "\(frames) frames, \(tag.front.count) and \(tag.back.count) bytes around")
        if kind.isTagged {
          #expect(file.tags.title == tag.title, "\(frames) frames")
        }
      }
    }
  }
}
