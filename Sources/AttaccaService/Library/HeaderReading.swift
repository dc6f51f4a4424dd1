// SPDX-License-Identifier: Apache-2.0

import Dispatch
import SampleBuffers
import SoundFiles

/// Headers of files, read on all cores while others are written to the index.
final class HeaderReading: @unchecked Sendable {
  // @unchecked: each turn writes its own place of `songs`, which is read when all have ended.

  let files: [ScannedSong]
  private let songs: UnsafeMutablePointer<Song?>
  private let group = DispatchGroup()

  /// Begins to read the songs of files below `root`.
  init(_ files: [ScannedSong], root: String, pool: FramePool) {
    self.files = files
    songs = .allocate(capacity: files.count)
    songs.initialize(repeating: nil, count: files.count)
    DispatchQueue.global(qos: .utility).async(group: group) { [self] in
      DispatchQueue.concurrentPerform(iterations: files.count) { i in
        let file = files[i]
        do throws(SoundFileError) {
          songs[i] = try Song(
            uri: file.uri, path: BytePath("\(root)/\(file.uri)"), modified: file.modified,
            pool: pool)
        } catch {
          // What is no sound is no song.
        }
      }
    }
  }

  deinit {
    songs.deinitialize(count: files.count)
    songs.deallocate()
  }

  /// Waits until all have been read; nil of what is no sound.
  func result() -> [Song?] {
    group.wait()
    return Array(UnsafeBufferPointer(start: songs, count: files.count))
  }
}
