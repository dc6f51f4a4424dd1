// SPDX-License-Identifier: Apache-2.0

/// Reads the bytes of a picture, a quarter of a megabyte at a time.
struct PictureReading {
  let pieces: [Range<Int64>]
  let coding: PictureSource.Coding

  private static let step: Int64 = 1 << 18

  /// `count` bytes, or as many as the file has of them.
  func bytes(_ count: Int, of file: RegularFile) throws(SoundFileError) -> [UInt8] {
    var (result, base64, last): ([UInt8], Base64, UInt8) = ([], Base64(), 0)
    var skipped = 0
    if case .base64(let skipping) = coding { skipped = skipping }
    for piece in pieces {
      var place = piece.lowerBound
      while place < piece.upperBound, result.count < count {
        let wanted = Int(min(Self.step, piece.upperBound - place))
        let bytes = try file.bytes(at: place, count: wanted)
        guard !bytes.isEmpty else { return result }
        place += Int64(bytes.count)
        switch coding {
        case .plain: result += bytes
        case .unsynchronised:
          for byte in bytes {
            if !(last == 0xFF && byte == 0) { result.append(byte) }
            last = byte
          }
        case .base64:
          let decoded = base64.decode(bytes)
          result += decoded.dropFirst(skipped)
          skipped -= min(skipped, decoded.count)
        }
      }
    }
    if result.count > count { result.removeLast(result.count - count) }
    return result
  }
}
