// SPDX-License-Identifier: Apache-2.0

/// The links of a long chained Ogg file, found one by one: a radio recording has 10,000.
struct OggChain {
  private let file: RegularFile
  /// Where the last whole page ends.
  private let end: Int64
  /// Whether the last page is not all there.
  let endsInsidePage: Bool

  /// Shorter files are looked at as a whole.
  static let shortest: Int64 = 1 << 19

  /// `nil` where the file is short, or is no chain: its last page belongs to a stream that begins with
  /// the first.
  init?(of file: RegularFile) throws(SoundFileError) {
    guard file.size > Self.shortest else { return nil }
    let (last, cut) = try OggLayout.lastPage(of: file)
    guard let last, try !Self.serials(at: 0, in: file).contains(last.serial) else { return nil }
    (self.file, end, endsInsidePage) = (file, last.bytes.upperBound, cut != nil)
  }

  /// The link that begins at `start`; `nil` at the end, and where none does.
  ///
  /// Its end is looked for in steps that double, and then between the last two: it reads as little of a
  /// link of 100 MB as of one of 100 kB.
  func link(from start: Int64) throws(SoundFileError) -> Range<Int64>? {
    guard start < end else { return nil }
    let serials = try Self.serials(at: start, in: file)
    guard !serials.isEmpty else { return nil }
    var (low, high, step) = (start, end, Int64(1 << 14))
    while low + step < end {
      guard try belongs(low + step, to: serials) else {
        high = low + step
        break
      }
      low += step
      step *= 2
    }
    while high - low > OggPage.longest {
      let middle = low + (high - low) / 2
      if try belongs(middle, to: serials) { low = middle } else { high = middle }
    }
    return start..<(try boundary(from: low, serials))
  }

  /// Of the streams that begin at `start`.
  static func serials(at start: Int64, in file: RegularFile) throws(SoundFileError) -> Set<UInt32> {
    var (serials, offset): (Set<UInt32>, Int64) = ([], start)
    while let page = try OggPage(at: offset, in: file), page.beginsStream {
      serials.insert(page.serial)
      offset = page.bytes.upperBound
    }
    return serials
  }

  /// Whether the first page behind `place` is one of the streams; none is one of another.
  private func belongs(_ place: Int64, to serials: Set<UInt32>) throws(SoundFileError) -> Bool {
    try page(from: place).map { serials.contains($0.serial) } ?? false
  }

  /// The first page that begins at `start` or behind it.
  private func page(from start: Int64) throws(SoundFileError) -> OggPage? {
    // Most pages are 4 kB long; a page can be 16 times as long.
    for length in [1 << 14, Int(2 * OggPage.longest)] {
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

  /// Where the pages from `start` on are not those of the streams any more.
  private func boundary(
    from start: Int64, _ serials: Set<UInt32>
  ) throws(SoundFileError) -> Int64 {
    var offset = start
    while offset < end {
      guard let found = try page(from: offset) else { return end }
      if !serials.contains(found.serial) { return found.bytes.lowerBound }
      offset = found.bytes.upperBound
    }
    return end
  }
}
