// SPDX-License-Identifier: Apache-2.0

@testable import Attacca

/// Frames that name themselves, with chapters.
struct ChapteredSource: AudioSource {
  static let rate = 8_000
  let name: String
  let frameCount: Int64
  let chapters: [Chapter]

  init(_ name: String, frames: Int64, _ chapters: [Chapter]) {
    (self.name, frameCount, self.chapters) = (name, frames, chapters)
  }

  func open() async throws -> sending any AudioSourceReader { Reader(self) }

  private final class Reader: AudioSourceReader {
    let format = AudioFormat(sampleRate: ChapteredSource.rate, layout: .mono)
    let frameCount: Int64?
    let chapters: [Chapter]
    private var position: Int64 = 0

    init(_ source: ChapteredSource) {
      (frameCount, chapters) = (source.frameCount, source.chapters)
    }

    func seek(to frame: Int64) { position = frame }

    func read(into samples: UnsafeMutableBufferPointer<Float>) -> AudioRead {
      let count = min(samples.count, Int((frameCount ?? 0) - position))
      guard count > 0 else { return .end }
      for i in 0..<count { samples[i] = Float(position + Int64(i)) }
      position += Int64(count)
      return .frames(count)
    }
  }
}

extension Chapter {
  /// A chapter by the frames of a `ChapteredSource`.
  init(_ title: String, _ start: Int64, _ end: Int64? = nil, _ chapters: [Chapter] = []) {
    func time(_ frame: Int64) -> MediaTime {
      MediaTime(value: frame, timescale: Int32(ChapteredSource.rate))
    }
    self.init(title: title, start: time(start), end: end.map(time), chapters: chapters)
  }
}
