// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Attacca

/// The place of a chapter that playing was asked to begin with.
struct ChapterPlace {
  let start: MediaTime?

  /// Chapter `number`, from 1 on, of an entry's file; none of a file that cannot be read, which playing tells of.
  ///
  /// Blocks until the file's headers have been read.
  ///
  /// - Throws: What ends the program where the file has fewer.
  init(_ number: Int, of entry: PlaylistFile.Entry) throws {
    let path = entry.path
    let chapters: [Chapter]
    do throws(SoundFileError) {
      chapters = try StallTimeout.wait(for: path.text) { _ throws(SoundFileError) in
        try SoundFile(path: path, pool: FramePool()).chapters
          .clipped(from: entry.start, to: entry.end).flattened
      }
    } catch {
      start = nil
      return
    }
    guard number <= chapters.count else {
      let count = chapters.isEmpty ? "no chapters" : "\(chapters.count) chapters"
      TextOutput.errors.write(
        "attacca: \(path.text) has \(count), no chapter \(number)\n".withoutControls)
      TextOutput.errors.flush()
      throw ExitCode(ExitStatus.nothingPlayable.rawValue)
    }
    start = chapters[number - 1].start
  }
}
