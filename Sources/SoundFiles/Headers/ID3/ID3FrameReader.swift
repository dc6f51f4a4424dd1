// SPDX-License-Identifier: Apache-2.0

/// Makes tags of frames, up to an amount.
struct ID3FrameReader {
  /// Bytes of the longest text, and of all of them: a whole book's words are 1 MB.
  private static let longest = 1 << 18
  private var rest = 1 << 22
  /// Bytes of the longest head of a picture that is read.
  private static let longestHead = 1 << 12

  mutating func read(_ frame: ID3Frame, into tags: inout Tags) throws(SoundFileError) {
    let size = frame.content.range.count
    guard size <= Self.longest, size <= rest else { return }
    switch frame.id {
    case "COMM", "USLT":
      rest -= size
      try readComment(frame, into: &tags)
    case "TXXX":
      rest -= size
      let texts = ID3Text.all(try content(frame))
      guard let name = texts.first, !name.isEmpty else { return }
      for text in texts.dropFirst() { tags.add(text, to: Tags.Name(name)) }
    case "RVA2":
      rest -= size
      Self.readLoudness(try content(frame), into: &tags)
    case "TCON":
      rest -= size
      for text in ID3Text.all(try content(frame)) {
        tags.add(ID3Genres.name(text), to: .genre)
      }
    case let id:
      guard let name = ID3Names.names[id] else { return }
      rest -= size
      // A year beside a date says less.
      if id == "TYER" || id == "TORY", !tags[name].isEmpty { return }
      if id == "TDRC" || id == "TDOR" { tags[name] = [] }
      for text in ID3Text.all(try content(frame)) { tags.add(text, to: name) }
    }
  }

  /// Reads the master volume: what it is of, and for each channel 1/512 dB and a peak of as many bits as it says.
  private static func readLoudness(_ bytes: [UInt8], into tags: inout Tags) {
    let (about, rest) = ID3Text.first(of: bytes[...], 0)
    let kind = about.lowercased()
    guard kind == "track" || kind == "album" else { return }
    var place = rest.startIndex
    while place + 4 <= bytes.count {
      let (channel, bits) = (bytes[place], Int(bytes[place + 3]))
      let size = (bits + 7) / 8
      guard place + 4 + size <= bytes.count else { return }
      if channel == 1 {
        let units = Int16(bitPattern: UInt16(bytes[place + 1]) << 8 | UInt16(bytes[place + 2]))
        tags.add("\(Double(units) / 512) dB", to: Tags.Name("rva2_\(kind)_gain"))
        let peak = bytes[(place + 4)...].prefix(size).reduce(0.0) { $0 * 256 + Double($1) }
        // Full scale is the highest of the bits, and 0 is a peak that nobody has measured.
        if bits > 0, peak > 0 {
          let full = (1..<bits).reduce(1.0) { full, _ in full * 2 }
          tags.add("\(peak / full)", to: Tags.Name("rva2_\(kind)_peak"))
        }
      }
      place += 4 + size
    }
  }

  private func content(_ frame: ID3Frame) throws(SoundFileError) -> [UInt8] {
    try frame.content.bytes(at: frame.content.range.lowerBound, count: frame.content.range.count)
  }

  /// The encoding, a language, what it is about, and the text.
  private func readComment(
    _ frame: ID3Frame, into tags: inout Tags
  ) throws(SoundFileError) {
    let bytes = try content(frame)
    guard bytes.count > 4 else { return }
    let (about, rest) = ID3Text.first(of: bytes[4...], bytes[0])
    let (text, _) = ID3Text.first(of: rest, bytes[0])
    // iTunes keeps numbers for itself in comments.
    guard !about.hasPrefix("iTun") else { return }
    tags.add(text, to: frame.id == "USLT" ? .lyrics : .comment)
  }

  /// Zeros among the bytes in the file that are none of the first `count` of a frame's content.
  private static func zeros(
    in place: Range<Int64>, before count: Int, of frame: ID3Frame
  ) throws(SoundFileError) -> Int {
    let bytes = try frame.bytesInFile(place.lowerBound, count: 2 * count)
    var (left, zeros, last) = (count, 0, UInt8(0))
    for byte in bytes where left > 0 {
      if last == 0xFF, byte == 0 { zeros += 1 } else { left -= 1 }
      last = byte
    }
    return zeros
  }

  /// The picture of an APIC frame; nil where it is an address of one, or stands where it cannot be read.
  static func picture(_ frame: ID3Frame, version: Int) throws(SoundFileError) -> Picture? {
    let start = frame.content.range.lowerBound
    let head = try frame.content.bytes(at: start, count: longestHead)
    guard let place = frame.place, head.count > 4 else { return nil }
    let (encoding, kind): (UInt8, UInt8)
    let (type, text): (String, ArraySlice<UInt8>)
    if version == 2 {
      (encoding, kind, text) = (head[0], head[4], head[5...])
      type = ["JPG": "image/jpeg", "PNG": "image/png"][head.text(at: 1, 3)] ?? head.text(at: 1, 3)
    } else {
      let (name, rest) = ID3Text.first(of: head[1...], 0)
      guard let first = rest.first else { return nil }
      (encoding, kind, text) = (head[0], first, rest.dropFirst())
      type = name.contains("/") || name.isEmpty || name == "-->" ? name : "image/" + name
    }
    guard type != "-->" else { return nil }
    let (description, rest) = ID3Text.first(of: text, encoding)
    let headSize = rest.startIndex
    guard headSize < head.count else { return nil }
    let found = type.isEmpty ? Picture.mediaType(of: Array(head[headSize...])) : type
    // In the file a zero stands behind each 0xFF of the head, too.
    let isPlain = frame.synchronisedSize == nil
    let marks = isPlain ? 0 : try zeros(in: place, before: headSize, of: frame)
    let range = place.lowerBound + Int64(headSize + marks)..<place.upperBound
    guard !range.isEmpty else { return nil }
    return Picture(
      kind, mediaType: found, description: description,
      byteCount: frame.synchronisedSize.map { max(0, $0 - headSize) } ?? range.count,
      source: .file(pieces: [range], coding: isPlain ? .plain : .unsynchronised))
  }
}
