// SPDX-License-Identifier: Apache-2.0

/// The form in which a file holds its audio: the container and the encoding inside.
public struct FileFormat: Hashable, Sendable {
  /// The kind of file.
  public enum Container: String, Hashable, Sendable, CaseIterable {
    case wav = "WAV"
    case rf64 = "RF64"
    case w64 = "W64"
    case aiff = "AIFF"
    case caf = "CAF"
    case flac = "FLAC"
    case ogg = "Ogg"
    case mpeg = "MPEG"
    case mpeg4 = "MPEG-4"
    case matroska = "Matroska"
    case adts = "ADTS"
    case asf = "ASF"
    case ape = "APE"
    case wavPack = "WavPack"
    case tta = "TTA"
    case musepack = "Musepack"
    case tak = "TAK"
    case dsf = "DSF"
    case dsdiff = "DSDIFF"
    case ac3 = "AC-3"
    case dts = "DTS"
    case amr = "AMR"
    case mpegTS = "MPEG-TS"
    case mpegPS = "MPEG-PS"
    case au = "AU"
    case avi = "AVI"
    case flv = "FLV"
    /// Another one that libavformat knows.
    case other = "another container"
  }

  /// The coding of samples.
  public enum Encoding: Hashable, Sendable {
    /// Integers of so many bits, 4 to 32, exact up to 24: a Float32 holds no more.
    case integer(bits: Int)
    /// Floating point numbers of 32 or 64 bits.
    case float(bits: Int)
    /// A lossy code, by name.
    case lossy(String)
  }

  /// The kind of file.
  public let container: Container
  /// The coding of samples.
  public let encoding: Encoding
  /// The name of a lossless code that the container does not say, such as "ALAC".
  public let codec: String?

  /// A format by its parts.
  public init(container: Container, encoding: Encoding, codec: String? = nil) {
    (self.container, self.encoding, self.codec) = (container, encoding, codec)
  }

  /// Bits of the integers that the file holds, or `nil` for floating point and lossy codes, whose
  /// decoded samples carry more depth than any integer format.
  public var bitsPerSample: Int? {
    switch encoding {
    case .integer(let bits): bits
    case .float, .lossy: nil
    }
  }
}

extension FileFormat: CustomStringConvertible {
  /// The format in words, as in "FLAC, 16 bit", "Ogg, Vorbis" or "MPEG-4, ALAC, 16 bit".
  public var description: String {
    let name = ([container.rawValue] + (codec.map { [$0] } ?? [])).joined(separator: ", ")
    return switch encoding {
    case .integer(let bits): "\(name), \(bits) bit"
    case .float(let bits): "\(name), \(bits) bit float"
    case .lossy(let lossy): lossy == name ? name : "\(name), \(lossy)"
    }
  }
}
