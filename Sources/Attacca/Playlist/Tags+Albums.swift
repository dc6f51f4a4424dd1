// SPDX-License-Identifier: Apache-2.0

import SoundFiles

extension Tags {
  /// Tells whether `other` is what an album has behind this: both name the same album, and the same artist where
  /// both name one, and their numbers follow each other.
  ///
  /// The number that follows is the next one of the same disc, or the first one of the next disc. Where one of
  /// them has no number, the album alone says it.
  func isFollowedInAlbum(by other: Tags) -> Bool {
    guard let album, !album.isEmpty, album == other.album else { return false }
    if let albumArtist, let others = other.albumArtist, albumArtist != others { return false }
    guard let track = Self.number(trackNumber), let next = Self.number(other.trackNumber) else {
      return true
    }
    let (disc, nextDisc) = (Self.number(discNumber) ?? 1, Self.number(other.discNumber) ?? 1)
    return disc == nextDisc ? next == track + 1 : nextDisc == disc + 1 && next == 1
  }

  /// The 3 of "3" and of "03/12".
  private static func number(_ text: String?) -> Int? {
    guard let digits = text?.drop(while: { $0 == " " }).prefix(while: { $0.isASCII && $0.isNumber })
    else { return nil }
    return Int(digits)
  }
}
