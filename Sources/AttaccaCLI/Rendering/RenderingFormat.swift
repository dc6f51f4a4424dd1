// SPDX-License-Identifier: Apache-2.0

import Attacca
import AttaccaNetwork

/// The format that inputs are rendered in, and whether an integer file of it needs dither.
struct RenderingFormat {
  let format: AudioFormat
  let needsDither: Bool

  /// Looks into the inputs; nil where none can be read.
  ///
  /// Rate and channels that are nil are those of the first readable input.
  init?(
    _ paths: [BytePath], _ items: [PlaylistItem], rate: Int?, channels: Int?,
    fileType: WrittenFileType
  ) {
    var (format, needsDither) = (AudioFormat?.none, false)
    var seen: Set<BytePath> = []
    for (path, item) in zip(paths, items) where seen.insert(path).inserted {
      guard let header = Self.header(of: path, item) else { continue }
      let layout = channels.map { ChannelLayout.usual(channelCount: $0) }
      let chosen =
        format
        ?? AudioFormat(
          sampleRate: rate ?? Self.rate(fileType, for: header.format.sampleRate),
          layout: layout ?? header.format.layout)
      format = chosen
      // What is written as it is decoded needs none, so the other files do not matter.
      guard let depth = fileType.integerBits else { break }
      needsDither =
        header.format != chosen || header.fileFormat.bitsPerSample.map { $0 > depth } ?? true
      if needsDither { break }
    }
    guard let format else { return nil }
    (self.format, self.needsDither) = (format, needsDither)
  }

  private struct Header: Sendable {
    let format: AudioFormat
    let fileFormat: FileFormat
  }

  /// Nil for a file that cannot be opened: the player says so when it comes to it.
  private static func header(of path: BytePath, _ item: PlaylistItem) -> Header? {
    do throws(SoundFileError) {
      return try StallTimeout.wait(for: path.text) { _ throws(SoundFileError) in
        // What the items go on to read is not opened for this.
        if let shared = item.source as? SharedFileSource {
          let formats = try shared.formats()
          return Header(format: formats.frames, fileFormat: formats.file)
        }
        let file =
          if let server = item.source as? HTTPSource {
            try server.soundFile()
          } else {
            try SoundFile(path: path, pool: FramePool())
          }
        return Header(format: file.format, fileFormat: file.fileFormat)
      }
    } catch {
      return nil
    }
  }

  /// Opus has few rates; all of them are heard as 48 kHz.
  private static func rate(_ type: WrittenFileType, for rate: Int) -> Int {
    type.container == .opus && ![8_000, 12_000, 16_000, 24_000].contains(rate) ? 48_000 : rate
  }
}
