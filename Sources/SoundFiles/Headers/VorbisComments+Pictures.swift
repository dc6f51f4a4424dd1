// SPDX-License-Identifier: Apache-2.0

extension VorbisComments {
  /// The pictures among the comments of a block that stands in `bytes`.
  func pictures(in bytes: FilePieces) throws(SoundFileError) -> [Picture] {
    var all: [Picture] = []
    for place in pictures {
      var base64 = Base64()
      let head = base64.decode(
        try bytes.bytes(
          at: place.lowerBound, count: min(place.count, FLACPicture.longestHead / 3 * 4)))
      guard let picture = FLACPicture(head, of: Int64(place.count) * 3 / 4) else { continue }
      let source = PictureSource.file(
        pieces: bytes.places(place), coding: .base64(skipping: picture.headSize))
      if let picture = picture.picture(source) { all.append(picture) }
    }
    return all
  }
}
