// SPDX-License-Identifier: Apache-2.0

import Attacca

extension SampleBufferPlayer {
  /// Makes `offset` into the first item the place to play from.
  ///
  /// - Precondition: the playlist is not empty.
  func begin(at offset: MediaTime) {
    do throws(PlaylistError) {
      try seek(to: playlist[0].id, offset: offset)
    } catch {
      preconditionFailure("\(error)")
    }
  }
}
