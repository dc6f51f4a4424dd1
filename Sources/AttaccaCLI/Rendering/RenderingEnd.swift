// SPDX-License-Identifier: Apache-2.0

import Attacca

/// The reason for which a rendering ended before its last frame.
enum RenderingEnd: Error {
  /// A signal asked for it.
  case interrupted
  /// The file cannot be written on.
  case failed(SoundFileError)
}
