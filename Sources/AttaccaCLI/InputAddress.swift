// SPDX-License-Identifier: Apache-2.0

import Attacca
import AttaccaNetwork

extension Inputs {
  /// Items that play the inputs: files, parts of them, or what is at addresses.
  var items: [PlaylistItem] { PlaylistItem.items(of: entries) { source(at: $0) } }
}

extension SoundFile {
  /// An input, open; blocks until that is so.
  ///
  /// `source` is what it is on a server; nil for a file.
  static func of(
    input: BytePath, _ source: HTTPSource? = nil
  ) throws(SoundFileError) -> SoundFile {
    if let source { return try source.soundFile() }
    guard let address = NetworkAddress(input) else {
      return try SoundFile(path: input, pool: FramePool())
    }
    return try HTTPSource(address).soundFile()
  }
}
