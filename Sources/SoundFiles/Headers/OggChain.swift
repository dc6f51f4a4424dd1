// SPDX-License-Identifier: Apache-2.0

/// The links of a long chained Ogg file, found one by one: a radio recording has 10,000.
struct OggChain {
  /// End of the last whole page.
  private let end: Int64
  /// True where the last page is not all there.
  let endsInsidePage: Bool

  /// Shorter files are looked at as a whole, by decoders that can.
  static let shortest: Int64 = 1 << 19

  /// `nil` where the file is short, or is no chain: its last page belongs to a stream that begins with
  /// the first.
  init?(of file: RegularFile, shortest: Int64 = Self.shortest) throws(SoundFileError) {
    guard file.size > shortest else { return nil }
    let (last, cut) = try OggLayout.lastPage(of: file)
    guard let last, try !Self.serials(at: 0, in: file).contains(last.serial) else { return nil }
    (end, endsInsidePage) = (last.bytes.upperBound, cut != nil)
  }

  /// The link that begins at `start`; `nil` at the end, and where none does.
  ///
  /// Its end is looked for in steps that grow, and then between the last two: 20 requests find that of a
  /// link of 100 MB.
  func link(
    from start: Int64, in file: RegularFile
  ) throws(SoundFileError) -> Range<Int64>? {
    guard start < end else { return nil }
    let serials = try Self.serials(at: start, in: file)
    guard !serials.isEmpty else { return nil }
    var (low, high, step) = (start, end, Self.grid)
    while case let place = Self.onGrid(low + step), place < end {
      guard try belongs(place, of: file, to: serials) else {
        high = place
        break
      }
      low = place
      step *= 4
    }
    while high - low > 2 * Self.grid {
      let middle = Self.onGrid(low + (high - low) / 2)
      if try belongs(middle, of: file, to: serials) { low = middle } else { high = middle }
    }
    return start..<(try boundary(from: low, of: file, serials))
  }

  /// Distance at which blocks of the file begin: a page is looked for in one of them, by one request.
  private static let grid: Int64 = 1 << 15
  private static func onGrid(_ place: Int64) -> Int64 { place / grid * grid }

  /// Of the streams that begin at `start`.
  static func serials(at start: Int64, in file: RegularFile) throws(SoundFileError) -> Set<UInt32> {
    var (serials, offset): (Set<UInt32>, Int64) = ([], start)
    while let page = try OggPage(at: offset, in: file), page.beginsStream {
      serials.insert(page.serial)
      offset = page.bytes.upperBound
    }
    return serials
  }

  /// Tells whether the first page behind `place` is one of the streams; none is one of another.
  private func belongs(
    _ place: Int64, of file: RegularFile, to serials: Set<UInt32>
  ) throws(SoundFileError) -> Bool {
    try page(from: place, of: file).map { serials.contains($0.serial) } ?? false
  }

  /// The first page that begins at `start` or behind it.
  private func page(
    from start: Int64, of file: RegularFile
  ) throws(SoundFileError) -> OggPage? {
    // Most pages are 4 to 8 kB long; a page can be 64 kB long.
    for length in [Int(Self.grid) - 1, Int(2 * OggPage.longest)] {
      let bytes = try file.bytes(at: start, count: length)
      for i in bytes.indices.dropLast(3)
      where bytes[i] == UInt8(ascii: "O") && bytes.text(at: i, 4) == "OggS" {
        guard let page = try OggPage(at: start + Int64(i), in: file), page.bytes.upperBound <= end
        else { continue }
        // Four letters may stand in a packet by chance; another page behind them may not.
        if page.bytes.upperBound == end { return page }
        if try OggPage(at: page.bytes.upperBound, in: file) != nil { return page }
      }
      if start + Int64(length) >= end { break }
    }
    return nil
  }

  /// Returns the place where the pages from `start` on are not those of the streams any more.
  private func boundary(
    from start: Int64, of file: RegularFile, _ serials: Set<UInt32>
  ) throws(SoundFileError) -> Int64 {
    var next = try page(from: start, of: file)
    while let found = next {
      if !serials.contains(found.serial) { return found.bytes.lowerBound }
      let offset = found.bytes.upperBound
      guard offset < end else { break }
      next = try OggPage(at: offset, in: file)
      if next == nil { next = try page(from: offset, of: file) }
    }
    return end
  }
}
