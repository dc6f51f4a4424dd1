// SPDX-License-Identifier: Apache-2.0

import SampleBuffers
import SoundFiles

extension Song {
  /// The song of a file, as its headers describe it; blocks as long as the disk does.
  ///
  /// - Throws: Where the file is no sound.
  convenience init(
    uri: String, path: BytePath, modified: Int64?, pool: FramePool
  ) throws(SoundFileError) {
    let file = try SoundFile(path: path, pool: pool)
    let rate = file.format.sampleRate
    // Nanoseconds of a file of 292 years fit.
    let nanoseconds = file.frameCount.map { frames in
      Int64((Double(frames) * 1e9 / Double(rate)).rounded())
    }
    let bits: String =
      switch file.fileFormat.encoding {
      case .integer(let bits): "\(bits)"
      case .float: "f"
      case .lossy: "f"
      }
    self.init(
      uri: uri, values: Song.values(of: file.tags), nanoseconds: nanoseconds, modified: modified,
      format: "\(rate):\(bits):\(file.format.channelCount)")
  }
}
