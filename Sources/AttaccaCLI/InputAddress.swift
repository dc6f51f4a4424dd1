// SPDX-License-Identifier: Apache-2.0

import Attacca
import AttaccaNetwork

extension PlaylistItem {
  /// What plays an input: a file, or what is at an address.
  init(input: BytePath) {
    if let address = NetworkAddress(input) {
      self.init(HTTPSource(address))
    } else {
      self.init(path: input)
    }
  }
}

extension SoundFile {
  /// An input, open; blocks until that is so.
  static func of(input: BytePath) throws(SoundFileError) -> SoundFile {
    guard let address = NetworkAddress(input) else {
      return try SoundFile(path: input, pool: FramePool())
    }
    return try HTTPSource(address).soundFile()
  }
}
