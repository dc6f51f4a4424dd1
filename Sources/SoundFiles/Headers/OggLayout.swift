// SPDX-License-Identifier: Apache-2.0

/// Where the links of an Ogg file are, and whether it ends inside a page.
struct OggLayout {
  /// One range a link, in order; a file that is not chained has one.
  let links: [Range<Int64>]
  /// A recording that stopped, or a download that did: the last page is not all there.
  let endsInsidePage: Bool

  /// Reads the end of the file, and all page headers only where the end tells of a chain.
  init(of file: RegularFile) throws(SoundFileError) {
    let (last, isCut) = try Self.lastPage(of: file)
    endsInsidePage = isCut
    let first = try OggPage(at: 0, in: file)
    if let first, let last, first.serial == last.serial {
      links = [0..<file.size]
    } else {
      links = try Self.walk(file)
    }
  }

  private static func lastPage(of file: RegularFile) throws(SoundFileError) -> (OggPage?, Bool) {
    let start = max(0, file.size - 2 * OggPage.longest)
    let tail = try file.bytes(at: start, count: Int(2 * OggPage.longest))
    var offset = tail.count
    var isCut = false
    while offset > 0 {
      offset -= 1
      guard tail[offset] == UInt8(ascii: "O") else { continue }
      let rest = tail[offset...].prefix(282)
      if let page = OggPage(Array(rest), at: start + Int64(offset)) {
        // A page inside the tail of another would have to be whole to be believed; the last one
        // may be cut.
        return (page, isCut || page.bytes.upperBound > file.size)
      }
      if offset + 282 > tail.count, rest.prefix(4).elementsEqual("OggS".utf8.prefix(rest.count)) {
        isCut = true
      }
    }
    return (nil, isCut)
  }

  /// Follows the pages; a page that begins a stream after one that does not begins a link.
  private static func walk(_ file: RegularFile) throws(SoundFileError) -> [Range<Int64>] {
    var starts: [Int64] = []
    var offset: Int64 = 0
    var inHeaders = false
    while offset < file.size {
      guard let page = try OggPage(at: offset, in: file) else {
        guard let next = try capture(in: file, from: offset + 1) else { break }
        offset = next
        continue
      }
      if page.beginsStream && !inHeaders { starts.append(offset) }
      inHeaders = page.beginsStream
      offset = page.bytes.upperBound
    }
    if starts.isEmpty { starts = [0] }
    return starts.indices.map { i in
      starts[i]..<(i + 1 < starts.count ? starts[i + 1] : file.size)
    }
  }

  private static func capture(
    in file: RegularFile, from start: Int64
  ) throws(SoundFileError) -> Int64? {
    var offset = start
    while offset < file.size {
      let bytes = try file.bytes(at: offset, count: 1 << 16)
      for i in bytes.indices.dropLast(3)
      where bytes[i] == UInt8(ascii: "O") && bytes.text(at: i, 4) == "OggS" {
        return offset + Int64(i)
      }
      offset += Int64(max(bytes.count - 3, 1))
    }
    return nil
  }
}
