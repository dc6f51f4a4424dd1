// SPDX-License-Identifier: Apache-2.0

import MediaTime
import SampleBuffers
import SoundFiles

extension PlaylistItem {
  /// Returns the source of the item's frames, not open yet unless it is a file.
  ///
  /// - Throws: Why the item's file cannot be played.
  func makeSource(pool: FramePool) throws -> any FrameSource {
    let whole: any FrameSource =
      switch source {
      case nil: try SoundFile(path: bytePath, pool: pool)
      case let source as any SoundFileOpening: try source.soundFile(pool: pool)
      case let source as any FrameSourceMaking: source.frameSource(pool: pool)
      case .some(let source): SourceReading(source, pool: pool)
      }
    let isWhole = start == .zero && end == nil
    return isWhole ? whole : ItemFrames(whole, of: self)
  }
}
