// SPDX-License-Identifier: Apache-2.0

/// A description of a file, as the helper has found it.
package struct StreamDescription: Equatable, Sendable {
  /// The source of the exact length.
  package enum LengthSource: UInt8, Sendable {
    /// The file does not tell it: its packets are counted.
    case packets = 0
    /// Its table of samples.
    case sampleTable
    /// A text that iTunes wrote beside it.
    case gaplessTag
    /// A header.
    case header
  }

  /// As libavformat names it, such as "mov,mp4,m4a,3gp,3g2,mj2".
  package var container: String
  /// As libavcodec names it, such as "aac".
  package var codec: String
  /// Such as "HE-AAC"; empty where there is none.
  package var profile: String
  /// In bits a second; 0 where that is not known.
  package var bitRate: Int64
  package var format: WireFormat
  /// Bits of a sample's integer; 0 for a lossy code.
  package var bits: Int
  /// The samples are floating point numbers of so many `bits`.
  package var isFloat: Bool
  /// Heard frames; nil where only the packets tell.
  package var frameCount: Int64?
  package var lengthSource: LengthSource
  /// Frames in front that are decoded and not heard; nil where the file does not say, and the code may have some.
  package var priming: Int64?
  /// Chapters that may be asked for.
  package var chapterCount = 0
  /// Names and values as in the file; a name may come several times.
  package var tags: [Tag]

  package struct Tag: Equatable, Sendable {
    package var name: String
    package var value: String

    package init(name: String, value: String) { (self.name, self.value) = (name, value) }
  }

  package init(
    container: String, codec: String, profile: String, bitRate: Int64, format: WireFormat,
    bits: Int, isFloat: Bool, frameCount: Int64?, lengthSource: LengthSource, priming: Int64?,
    chapterCount: Int = 0, tags: [Tag]
  ) {
    (self.container, self.codec, self.profile) = (container, codec, profile)
    (self.bitRate, self.format, self.bits, self.isFloat) = (bitRate, format, bits, isFloat)
    (self.frameCount, self.lengthSource) = (frameCount, lengthSource)
    (self.priming, self.chapterCount, self.tags) = (priming, chapterCount, tags)
  }

  init?(_ reader: inout WireReader) {
    guard let container = reader.text(), let codec = reader.text(), let profile = reader.text(),
      let bitRate = reader.integer(Int64.self), let format = WireFormat(&reader),
      let bits = reader.integer(UInt8.self), let isFloat = reader.integer(UInt8.self),
      let frames = reader.frames(),
      let source = reader.integer(UInt8.self).flatMap(LengthSource.init),
      let priming = reader.frames(), let chapters = reader.integer(UInt32.self),
      let count = reader.integer(UInt32.self), chapters <= DecodeProtocol.mostChaptersOfFile
    else { return nil }
    var tags: [Tag] = []
    for _ in 0..<count {
      guard let name = reader.text(), let value = reader.text() else { return nil }
      tags.append(Tag(name: name, value: value))
    }
    self.init(
      container: container, codec: codec, profile: profile, bitRate: max(0, bitRate),
      format: format, bits: Int(min(bits, 64)), isFloat: isFloat != 0,
      frameCount: frames < 0 ? nil : frames,
      lengthSource: source, priming: priming < 0 ? nil : priming, chapterCount: Int(chapters),
      tags: tags)
  }

  func write(to writer: inout WireWriter) {
    for text in [container, codec, profile] { writer.add(text) }
    writer.add(bitRate)
    format.write(to: &writer)
    writer.add(UInt8(clamping: bits))
    writer.add(UInt8(isFloat ? 1 : 0))
    writer.add(frameCount ?? -1)
    writer.add(lengthSource.rawValue)
    writer.add(priming ?? -1)
    writer.add(UInt32(clamping: chapterCount))
    // A payload has an end: 100 names and values of 4 kB each fit.
    let told = tags.prefix(100)
    writer.add(UInt32(told.count))
    for tag in told {
      writer.add(tag.name)
      writer.add(tag.value)
    }
  }
}
