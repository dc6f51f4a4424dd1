// SPDX-License-Identifier: Apache-2.0

import Attacca
import AttaccaNetwork

extension Inputs {
  /// Items that play the inputs: files, parts of them, or what is at addresses.
  var items: [PlaylistItem] {
    PlaylistItem.items(of: entries) { path in
      NetworkAddress(path).map { HTTPSource($0, options: network) }
    }
  }
}

extension SoundFile {
  /// An input, open; blocks until that is so.
  static func of(
    input: BytePath, _ network: HTTPOptions = HTTPOptions()
  ) throws(SoundFileError) -> SoundFile {
    guard let address = NetworkAddress(input) else {
      return try SoundFile(path: input, pool: FramePool())
    }
    return try HTTPSource(address, options: network).soundFile()
  }
}
