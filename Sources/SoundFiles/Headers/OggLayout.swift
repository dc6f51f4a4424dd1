// SPDX-License-Identifier: Apache-2.0

/// The layout of an Ogg file: the places of its links, and whether it ends inside a page.
struct OggLayout {
  /// One range a link, in order; a file that is not chained has one.
  ///
  /// The last ends with the last page that is whole: libsndfile finds no length where a tag follows, or
  /// a piece of a page.
  let links: [Range<Int64>]
  /// A recording that stopped, or a download that did: the last page is not all there.
  let endsInsidePage: Bool
  /// True where more follows the last link that has no page for as long as a page can be.
  let endsInRubbish: Bool

  /// One link, and no bad end.
  init(link: Range<Int64>) {
    (links, endsInsidePage, endsInRubbish) = ([link], false, false)
  }

  /// Reads the end of the file, and all page headers only where the end tells of a chain.
  init(of file: RegularFile) throws(SoundFileError) {
    let (last, cut) = try Self.lastPage(of: file)
    endsInsidePage = cut != nil
    let serials = try OggChain.serials(at: 0, in: file)
    let end = last?.bytes.upperBound ?? file.size
    if let last, serials.contains(last.serial) {
      (links, endsInRubbish) = ([0..<end], false)
    } else {
      links = try Self.walk(file, to: end)
      endsInRubbish = links[links.count - 1].upperBound < end
    }
  }

  /// The last whole page, and where a page begins behind it that is not.
  static func lastPage(
    of file: RegularFile
  ) throws(SoundFileError) -> (page: OggPage?, cut: Int64?) {
    let start = max(0, file.size - 2 * OggPage.longest)
    let tail = try file.bytes(at: start, count: Int(2 * OggPage.longest))
    for offset in tail.indices.reversed()
    where tail[offset] == UInt8(ascii: "O") && tail.text(at: offset, 4) == "OggS" {
      let head = Array(tail[offset...].prefix(27 + 255))
      guard let page = OggPage(head, at: start + Int64(offset)), page.bytes.upperBound <= file.size
      else { continue }
      let rest = tail[Int(page.bytes.upperBound - start)...]
      let isCut = !rest.isEmpty && rest.prefix(4).elementsEqual("OggS".utf8.prefix(rest.count))
      return (page, isCut ? page.bytes.upperBound : nil)
    }
    return (nil, nil)
  }

  /// Follows the pages; a page that begins a stream after one that does not begins a link.
  private static func walk(
    _ file: RegularFile, to end: Int64
  ) throws(SoundFileError) -> [Range<Int64>] {
    var starts: [Int64] = []
    var offset: Int64 = 0
    var inHeaders = false
    var last = end
    while offset < end {
      guard let page = try OggPage(at: offset, in: file) else {
        guard let next = try capture(in: file, from: offset + 1) else {
          last = offset
          break
        }
        offset = next
        continue
      }
      if page.beginsStream && !inHeaders { starts.append(offset) }
      inHeaders = page.beginsStream
      offset = page.bytes.upperBound
    }
    if starts.isEmpty { starts = [0] }
    return starts.indices.map { i in
      starts[i]..<(i + 1 < starts.count ? starts[i + 1] : last)
    }
  }

  /// The next page, for as far as a page can be long: noise is not searched to its end.
  private static func capture(
    in file: RegularFile, from start: Int64
  ) throws(SoundFileError) -> Int64? {
    let bytes = try file.bytes(at: start, count: Int(2 * OggPage.longest))
    for i in bytes.indices.dropLast(3)
    where bytes[i] == UInt8(ascii: "O") && bytes.text(at: i, 4) == "OggS" {
      return start + Int64(i)
    }
    return nil
  }
}

extension OggLayout {
  /// Words for how the file ends, where it does not end as it should.
  var badEnd: String? {
    if endsInRubbish { return "no Ogg page behind byte \(links[links.count - 1].upperBound)" }
    return endsInsidePage ? "the file ends inside an Ogg page" : nil
  }
}

extension SoundFileError {
  /// Meaning of a decoder's refusal of an Ogg file that ends inside a page.
  var asTruncation: SoundFileError {
    SoundFileError(
      .truncated, path: path, call: call, code: code,
      cause: "the file ends before its first whole page of audio")
  }
}
