// SPDX-License-Identifier: Apache-2.0

@testable import Attacca

/// Sources that tests make are named by texts.
extension DecoderWatchdog {
  typealias TextOpener = @Sendable (String) throws(SoundFileError) -> any FrameSource

  convenience init(timeout: Double = 30, open: @escaping TextOpener) {
    self.init(
      opening: { try open($0.path) }, timeout: timeout)
  }
}

extension Bounce {
  convenience init(
    _ items: [PlaylistItem], format: AudioFormat, sizes: Sizes = Sizes(),
    open: @escaping DecoderWatchdog.TextOpener
  ) {
    self.init(
      items, opening: { try open($0.path) }, format: format,
      sizes: sizes)
  }
}
