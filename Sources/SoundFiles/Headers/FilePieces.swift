// SPDX-License-Identifier: Apache-2.0

/// Bytes that belong together, and stand in one place of a file or in several, as a packet on the pages of Ogg does.
struct FilePieces {
  /// In order; none is empty.
  private(set) var pieces: [Range<Int64>] = []
  /// For each of them, bytes in those before it.
  private var starts: [Int64] = []
  /// Bytes of all of them.
  private(set) var count: Int64 = 0
  let file: RegularFile

  init(_ pieces: [Range<Int64>] = [], of file: RegularFile) {
    self.file = file
    for piece in pieces { append(piece) }
  }

  /// Adds what of `piece` is in the file.
  mutating func append(_ piece: Range<Int64>) {
    let piece = piece.clamped(to: 0..<file.size)
    guard !piece.isEmpty else { return }
    defer { count += Int64(piece.count) }
    if let last = pieces.last, last.upperBound == piece.lowerBound {
      pieces[pieces.count - 1] = last.lowerBound..<piece.upperBound
    } else {
      pieces.append(piece)
      starts.append(count)
    }
  }

  /// The places of some of the bytes.
  func places(_ range: Range<Int64>) -> [Range<Int64>] {
    var places: [Range<Int64>] = []
    var i = firstPiece(at: range.lowerBound)
    while i < pieces.count, starts[i] < range.upperBound {
      let part = range.clamped(to: starts[i]..<starts[i] + Int64(pieces[i].count))
      let shift = pieces[i].lowerBound - starts[i]
      if !part.isEmpty { places.append(part.lowerBound + shift..<part.upperBound + shift) }
      i += 1
    }
    return places
  }

  /// The index of the piece that byte `offset` is in; there may be as many pieces as pages.
  private func firstPiece(at offset: Int64) -> Int {
    var (low, high) = (0, starts.count)
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle + 1 } else { high = middle }
    }
    return max(0, low - 1)
  }

  /// The bytes from `offset` on: `count` of them, or as many as there are.
  func bytes(at offset: Int64, count wanted: Int) throws(SoundFileError) -> [UInt8] {
    guard offset >= 0, offset < count, wanted > 0 else { return [] }
    let end = min(offset + Int64(wanted), count)
    let places = places(offset..<end)
    if places.count == 1 { return try file.bytes(at: places[0].lowerBound, count: places[0].count) }
    var bytes: [UInt8] = []
    for place in places { bytes += try file.bytes(at: place.lowerBound, count: place.count) }
    return bytes
  }
}
