// SPDX-License-Identifier: Apache-2.0

/// How a file holds its audio: the container and the encoding inside.
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
  }

  /// How samples are coded.
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
  /// How samples are coded.
  public let encoding: Encoding

  /// A format by its two parts.
  public init(container: Container, encoding: Encoding) {
    (self.container, self.encoding) = (container, encoding)
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
  /// As in "FLAC, 16 bit" or "Ogg, Vorbis".
  public var description: String {
    switch encoding {
    case .integer(let bits): "\(container.rawValue), \(bits) bit"
    case .float(let bits): "\(container.rawValue), \(bits) bit float"
    case .lossy(let name): "\(container.rawValue), \(name)"
    }
  }
}
