// SPDX-License-Identifier: Apache-2.0

/// The kind of a file by its first bytes, found before any decoder is asked.
enum Signature {
  case libsndfile(FileFormat.Container)
  /// A FLAC stream that begins at `start`, with "fLaC" or with a block of samples.
  case flac(start: Int64)
  case oggFLAC
  case opus
  case vorbis
  case mpeg(MPEGStream)
  /// For the process that has libav; `kind` names the file for people.
  case helper(kind: String)

  init(of file: RegularFile) throws(SoundFileError) {
    let head = try file.bytes(at: 0, count: 64)
    switch (head.text(at: 0, 4), head.text(at: 8, 4)) {
    case ("RIFF", "WAVE"), ("RIFX", "WAVE"): self = .libsndfile(.wav)
    case ("RF64", "WAVE"), ("BW64", "WAVE"): self = .libsndfile(.rf64)
    case ("RIFF", "AVI "): self = .helper(kind: "AVI")
    case ("riff", _) where head.starts(with: W64Header.riffGUID): self = .libsndfile(.w64)
    case ("FORM", "AIFF"), ("FORM", "AIFC"): self = .libsndfile(.aiff)
    case ("caff", _): self = .libsndfile(.caf)
    case ("fLaC", _): self = .flac(start: 0)
    case ("OggS", _): self = try Self.ogg(file)
    default:
      if let kind = HelperSignature.kind(of: head) {
        self = .helper(kind: kind)
      } else {
        self = try Self.afterTags(file)
      }
    }
  }

  /// An ID3v2 tag may stand before anything; FLAC files are found behind one now and then.
  private static func afterTags(_ file: RegularFile) throws(SoundFileError) -> Signature {
    let tagEnd = try MPEGStream.endOfTags(file)
    if tagEnd > 0, try file.bytes(at: tagEnd, count: 4).text(at: 0, 4) == "fLaC" {
      return .flac(start: tagEnd)
    }
    if let kind = try HelperSignature.kind(of: file, behind: tagEnd) { return .helper(kind: kind) }
    if let stream = try MPEGStream(file: file, tagEnd: tagEnd) { return .mpeg(stream) }
    if try HelperSignature.hasADTS(file, near: tagEnd) { return .helper(kind: "AAC") }
    if let start = try FLACStream.start(in: file, from: tagEnd) { return .flac(start: start) }
    throw SoundFileError(
      .notAudio, path: file.path, call: "Signature",
      cause: "the first bytes belong to no format known here")
  }

  /// The first packet of each logical stream, all of which begin before anything else, names it.
  static func ogg(
    _ file: RegularFile, from start: Int64 = 0
  ) throws(SoundFileError) -> Signature {
    var offset = start
    var names: [String] = []
    while let page = try OggPage(at: offset, in: file), page.beginsStream {
      let packet = try file.bytes(at: page.body.lowerBound, count: 16)
      if packet.text(at: 0, 8) == "OpusHead" { return .opus }
      if packet.text(at: 0, 7) == "\u{1}vorbis" { return .vorbis }
      if packet.text(at: 0, 5) == "\u{7F}FLAC" { return .oggFLAC }
      names.append(Self.name(ofPacket: packet))
      offset = page.body.upperBound
    }
    if let name = names.first(where: { $0 == speex || $0 == oldFLAC }) {
      return .helper(kind: name)
    }
    throw SoundFileError(
      .unsupported, path: file.path, call: "Signature",
      cause: "Ogg with \(names.joined(separator: " and ")); FLAC, Opus and Vorbis are decoded")
  }

  private static let speex = "Speex"
  private static let oldFLAC = "FLAC of before 2004"

  private static func name(ofPacket packet: [UInt8]) -> String {
    let known = [
      ("fLaC", oldFLAC), ("Speex   ", speex), ("\u{80}theora", "Theora"),
      ("fishead\0", "Skeleton"), ("BBCD", "Dirac"),
    ]
    for (magic, name) in known
    where packet.starts(with: magic.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }) {
      return name
    }
    return "an unknown stream"
  }
}
