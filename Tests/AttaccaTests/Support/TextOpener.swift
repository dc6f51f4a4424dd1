// SPDX-License-Identifier: Apache-2.0

@testable import Attacca

/// Sources that tests make are named by texts.
extension Decoding {
  typealias TextOpener = @Sendable (String) throws(SoundFileError) -> any FrameSource

  convenience init(patience: Double = 30, open: @escaping TextOpener) {
    self.init(
      opening: { path throws(SoundFileError) in try open(path.text) }, patience: patience)
  }
}

extension Bounce {
  convenience init(
    _ items: [PlaylistItem], format: AudioFormat, sizes: Sizes = Sizes(),
    open: @escaping Decoding.TextOpener
  ) {
    self.init(
      items, opening: { path throws(SoundFileError) in try open(path.text) }, format: format,
      sizes: sizes)
  }
}
