// SPDX-License-Identifier: Apache-2.0

import Preconditions
public import SampleBuffers

/// Audio that a function calculates.
///
/// Each frame is asked for by its number, so that seeks, loops, edits and playing backwards find the same
/// frames again.
public struct GeneratorSource: AudioSource {
  /// Writes frames, interleaved, to all of the samples, the first of which is of frame number `first`.
  ///
  /// Called on a thread of the engine, never on the one that renders.
  public typealias Generator =
    @Sendable (
      _ samples: UnsafeMutableBufferPointer<Float>, _ first: Int64
    ) -> Void

  /// The generator's name for people.
  public let name: String
  /// Rate and speakers.
  public let format: AudioFormat
  /// Number of all frames; nil for one without an end.
  public let frameCount: Int64?
  private let generate: Generator

  /// Frames of `generate`.
  ///
  /// - Precondition: `frameCount` is not negative.
  public init(
    name: String, format: AudioFormat, frameCount: Int64? = nil, generate: @escaping Generator
  ) {
    require(
      frameCount ?? 0 >= 0, "a generator of \(frameCount ?? 0) frames; 0 and more are permitted")
    (self.name, self.format, self.frameCount) = (name, format, frameCount)
    self.generate = generate
  }

  /// A reader at frame 0.
  public func open() async throws -> sending any AudioSourceReader {
    Reader(format: format, frameCount: frameCount, generate: generate)
  }

  private final class Reader: AudioSourceReader {
    let format: AudioFormat
    let frameCount: Int64?
    let canBeReadInParts = true
    private let generate: Generator
    private var position: Int64 = 0

    init(format: AudioFormat, frameCount: Int64?, generate: @escaping Generator) {
      (self.format, self.frameCount, self.generate) = (format, frameCount, generate)
    }

    func seek(to frame: Int64) { position = frame }

    func read(into samples: UnsafeMutableBufferPointer<Float>) -> AudioRead {
      let room = samples.count / format.channelCount
      let count = Int(min(Int64(room), (frameCount ?? .max) - position))
      guard count > 0 else { return .end }
      generate(
        UnsafeMutableBufferPointer(rebasing: samples[..<(count * format.channelCount)]), position)
      position += Int64(count)
      return .frames(count)
    }
  }
}

extension GeneratorSource {
  /// Silence of `frameCount` frames.
  ///
  /// - Precondition: `frameCount` is not negative.
  public static func silence(
    frameCount: Int64, format: AudioFormat = AudioFormat(sampleRate: 48_000, layout: .stereo)
  ) -> GeneratorSource {
    GeneratorSource(name: "silence", format: format, frameCount: frameCount) { samples, _ in
      samples.update(repeating: 0)
    }
  }
}
