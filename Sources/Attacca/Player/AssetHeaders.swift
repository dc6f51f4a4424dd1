// SPDX-License-Identifier: Apache-2.0

import MediaTime
import SampleBuffers
import SoundFiles

/// Format, tags, chapters and pictures of an item's source, which it tells when it is opened; times count from the
/// item's start.
struct AssetHeaders: Sendable {
  let format: AudioFormat
  let tags: Tags
  let chapters: [Chapter]
  let pictures: [Picture]
  /// The search for the source's length; nil where the length is known, or nothing finds it.
  let search: LengthSearch?
  /// Frames of the source, where it tells them.
  private let frameCount: Int64?
  private let start: MediaTime
  private let end: MediaTime?

  /// Opens the item's source; blocks.
  init(of item: PlaylistItem, for work: LoadingWork) throws {
    let whole = PlaylistItem(item.source ?? FileSource(path: item.bytePath))
    let source = try whole.makeSource(pool: FramePool())
    work.onCancel { source.cancel() }
    try source.open()
    try work.check()
    (format, tags, frameCount) = (source.format, item.tags ?? source.tags, source.frameCount)
    chapters = source.chapters.inOrder().clipped(from: item.start, to: item.end)
    pictures = Self.pictures(of: source)
    search = frameCount == nil ? source.lengthSearch : nil
    (start, end) = (item.start, item.end)
  }

  /// Pictures that cannot be told do not keep the rest from being told.
  private static func pictures(of source: any FrameSource) -> [Picture] {
    do {
      return try (source as? SoundFile)?.pictures() ?? []
    } catch {
      return []
    }
  }

  /// Duration of the item; nil where that is not known, or not yet.
  var duration: MediaTime? {
    guard let frames = frameCount ?? search?.frameCount else { return nil }
    let rate = format.sampleRate
    let (first, last) = (frame(start), min(end.map(frame) ?? .max, frames))
    return MediaTime(RationalTime(frames: max(0, last - first), rate: rate))
  }

  private func frame(_ time: MediaTime) -> Int64 {
    // No item lasts 34,000 years, and the product has to fit.
    min(RationalTime(time), RationalTime(frames: 1 << 40, rate: 1)).frames(at: format.sampleRate)
  }
}
