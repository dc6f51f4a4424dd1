// SPDX-License-Identifier: Apache-2.0

import Attacca

/// A kind of file whose rendering is timed.
struct RenderMaterial {
  let name: String
  let fileType: WrittenFileType
  /// Of the file; what is rendered has 48 kHz.
  var sampleRate = 48_000

  /// True where what is rendered equals what was written, bit for bit.
  var isExact: Bool {
    sampleRate == RenderBench.format.sampleRate
      && (fileType.integerBits != nil || [.wav, .aiff, .caf].contains(fileType.container))
  }

  private init(
    _ name: String, _ container: WrittenFileType.Container,
    _ sampleFormat: WrittenFileType.SampleFormat, sampleRate: Int = 48_000
  ) {
    self.name = name
    fileType = WrittenFileType(container: container, sampleFormat: sampleFormat)
    self.sampleRate = sampleRate
  }

  /// Those that the program can write itself.
  static let all = [
    RenderMaterial("WAV", .wav, .int16), RenderMaterial("AIFF", .aiff, .int16),
    RenderMaterial("CAF", .caf, .float32), RenderMaterial("FLAC", .flac, .int16),
    RenderMaterial("FLAC 44.1 → 48 kHz", .flac, .int16, sampleRate: 44_100),
    RenderMaterial("Ogg Vorbis", .ogg, .float32), RenderMaterial("Opus", .opus, .float32),
  ]

  /// Material that is played to see what playing takes.
  static let load = RenderMaterial("FLAC", .flac, .int16)
}
