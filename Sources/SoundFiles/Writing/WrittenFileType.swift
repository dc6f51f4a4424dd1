// SPDX-License-Identifier: Apache-2.0

import CSndFile
import SampleBuffers

/// A kind of file that can be written: a container with what is in it.
public struct WrittenFileType: Hashable, Sendable {
  /// The form in which samples are held.
  public enum SampleFormat: String, Hashable, Sendable, CaseIterable {
    case int16, int24, float32
  }

  /// The containers, by their usual extensions.
  public enum Container: String, Hashable, Sendable, CaseIterable {
    case wav, flac, aiff, caf, w64, rf64, ogg, opus
  }

  /// The kind of file.
  public let container: Container
  /// The form in which samples are held; lossy files take Float32.
  public let sampleFormat: SampleFormat

  /// A type by its parts.
  public init(container: Container, sampleFormat: SampleFormat) {
    (self.container, self.sampleFormat) = (container, sampleFormat)
  }

  /// The type that a name's extension asks for.
  ///
  /// - Parameters:
  ///   - path: ends in .wav, .flac, .aiff, .aif, .caf, .w64, .rf64, .ogg (Vorbis) or .opus, in
  ///     capitals or not.
  ///   - sampleFormat: how samples are held; `nil` for 24 bit integers in FLAC and Float32 in all
  ///     others.
  /// - Throws: `unsupported` for other extensions.
  public init(path: BytePath, sampleFormat: SampleFormat? = nil) throws(SoundFileError) {
    let name = path.fileExtension ?? ""
    guard let container = Container(rawValue: name == "aif" || name == "aifc" ? "aiff" : name)
    else {
      let known = Container.allCases.map(\.rawValue).joined(separator: ", ")
      throw SoundFileError(
        .unsupported, path: path.text, call: "WrittenFileType",
        cause: "the extension must be one of \(known)")
    }
    self.init(
      container: container, sampleFormat: sampleFormat ?? (container == .flac ? .int24 : .float32))
  }

  /// The same of a path in UTF-8.
  public init(path: String, sampleFormat: SampleFormat? = nil) throws(SoundFileError) {
    try self.init(path: BytePath(path), sampleFormat: sampleFormat)
  }

  /// Bits of the integers to be written, or `nil` for floating point and lossy files.
  public var integerBits: Int? {
    switch (container, sampleFormat) {
    case (.ogg, _), (.opus, _), (_, .float32): nil
    case (_, .int16): 16
    case (_, .int24): 24
    }
  }

  /// Says in words why a format cannot be written.
  func check(_ format: AudioFormat, path: String) throws(SoundFileError) {
    let cause: String? =
      switch container {
      case .flac where sampleFormat == .float32: "FLAC holds integers: int16 or int24"
      // libFLAC's limit.
      case .flac where format.sampleRate > 655_350: "FLAC holds up to 655350 Hz"
      case .opus where ![8000, 12000, 16000, 24000, 48000].contains(format.sampleRate):
        "Opus holds 8000, 12000, 16000, 24000 or 48000 Hz, not \(format.sampleRate)"
      case .ogg where format.sampleRate > 200_000: "Vorbis holds up to 200000 Hz"
      default: nil
      }
    guard let cause else { return }
    throw SoundFileError(.unsupported, path: path, call: "WrittenFileType", cause: cause)
  }

  func sndfileFormat(channelCount: Int) -> Int32 {
    let major =
      switch container {
      // Only the extensible header says which channel is for which speaker.
      case .wav: channelCount > 2 ? SF_FORMAT_WAVEX : SF_FORMAT_WAV
      case .flac: SF_FORMAT_FLAC
      case .aiff: SF_FORMAT_AIFF
      case .caf: SF_FORMAT_CAF
      case .w64: SF_FORMAT_W64
      case .rf64: SF_FORMAT_RF64
      case .ogg: SF_FORMAT_OGG | SF_FORMAT_VORBIS
      case .opus: SF_FORMAT_OGG | SF_FORMAT_OPUS
      }
    if container == .ogg || container == .opus { return Int32(major) }
    switch sampleFormat {
    case .int16: return Int32(major | SF_FORMAT_PCM_16)
    case .int24: return Int32(major | SF_FORMAT_PCM_24)
    case .float32: return Int32(major | SF_FORMAT_FLOAT)
    }
  }

  var storesChannelMap: Bool {
    switch container {
    case .wav, .aiff, .caf, .rf64: true
    case .flac, .w64, .ogg, .opus: false
    }
  }

  /// The same speakers in the order that the container fixes; unchanged where it fixes none for
  /// this set of speakers.
  func writtenLayout(for layout: ChannelLayout) -> ChannelLayout {
    let count = layout.channelCount
    let fixed: ChannelLayout =
      switch container {
      case .ogg, .opus: .vorbis(channelCount: count)
      case .wav, .flac, .aiff, .caf, .w64, .rf64: .usual(channelCount: count)
      }
    return Set(fixed.speakers) == Set(layout.speakers) ? fixed : layout.inWaveOrder
  }

  /// Lengths in WAV and AIFF have 32 bits; 4 KiB are left for the header.
  var byteLimit: Int64? {
    container == .wav || container == .aiff ? (1 << 32) - 4096 : nil
  }

  func bytesPerFrame(of format: AudioFormat) -> Int {
    format.channelCount * (integerBits.map { $0 / 8 } ?? 4)
  }
}

extension ChannelLayout {
  /// The order of the bits in a WAVE channel mask, which an extensible header requires.
  fileprivate var inWaveOrder: ChannelLayout {
    let order: [Speaker] = [
      .mono, .frontLeft, .frontRight, .frontCenter, .lowFrequency, .backLeft, .backRight,
      .frontLeftOfCenter, .frontRightOfCenter, .backCenter, .sideLeft, .sideRight,
    ]
    let sorted = order.filter { speakers.contains($0) }
    return sorted.count == channelCount ? ChannelLayout(sorted) : self
  }
}
