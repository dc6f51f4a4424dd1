// SPDX-License-Identifier: Apache-2.0

import CLibAV
import DecodeMessages

extension Demuxer {
  /// Chapters that the container tells of, as many as are told.
  var chapterCount: Int { min(Int(openFile?.nb_chapters ?? 0), DecodeProtocol.mostChaptersOfFile) }

  /// Those from a number on, as many as one reply holds.
  func chapters(from number: Int) -> [ToldChapter] {
    guard let list = openFile?.chapters, number < chapterCount else { return [] }
    return (number..<min(chapterCount, number + DecodeProtocol.mostChapters)).map { i in
      guard let chapter = list[i]?.pointee else {
        return ToldChapter(start: 0, end: nil, timescale: 1, title: "")
      }
      let title = av_dict_get(chapter.metadata, "title", nil, 0)?.pointee.value
      return Self.told(chapter, title: title.map { String(cString: $0) } ?? "")
    }
  }

  private static func told(_ chapter: AVChapter, title: String) -> ToldChapter {
    var (start, end, base) = (chapter.start, chapter.end, chapter.time_base)
    if base.num != 1 || base.den < 1 {
      let fine = AVRational(num: 1, den: 1_000_000_000)
      if base.num < 1 || base.den < 1 { base = fine }
      start = av_rescale_q(start, base, fine)
      end = end == attacca_no_time ? end : av_rescale_q(end, base, fine)
      base = fine
    }
    return ToldChapter(
      start: max(0, start), end: end < start ? nil : end, timescale: base.den, title: title)
  }
}
