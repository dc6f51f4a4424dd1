// SPDX-License-Identifier: Apache-2.0

/// The blocks of samples of a FLAC stream: their places, and the frames in them (RFC 9639).
///
/// Streams are found that begin with their blocks, as one that was joined in its midst does, with less than a
/// block of something else in front; and those whose headers are missing, wrong, or were never completed. Each
/// block tells which it is: the last one tells the length.
struct FLACStream {
  /// STREAMINFO that the library is shown of it; nil where neither a header nor a block says what it is.
  ///
  /// No pictures, which it would read; no seek table, which may be wrong, and saves it a few reads.
  let info: FLACInfo?
  /// Its blocks.
  let blocks: Range<Int64>
  /// Frames, by the last block; by the header, where that is not found; nil where neither tells.
  let frameCount: Int64?
  /// The same by the header; nil where it tells none.
  let statedCount: Int64?
  /// The last block has told `frameCount`.
  let isCountedByBlock: Bool

  /// Bytes behind the headers, or the start of the file, in which a first block is looked for.
  static let junkLimit = 1 << 17

  /// Of `file`, from `start` on: with "fLaC", or with blocks.
  init(of file: RegularFile, from start: Int64) throws(SoundFileError) {
    var (stated, offset, isSure) = (FLACInfo?.none, start, true)
    if try file.bytes(at: start, count: 4).text(at: 0, 4) == "fLaC" {
      (stated, offset, isSure) = try Self.headers(of: file, from: start + 4)
    }
    statedCount = stated.flatMap { $0.frameCount > 0 ? $0.frameCount : nil }
    // A wrong size among the headers leads to a place among the blocks.
    var found = isSure ? nil : try Self.search(file, from: start + 4)
    if found == nil { found = try Self.firstBlock(of: file, from: offset) }
    guard let (first, begin) = found else {
      (info, blocks, frameCount) = (stated, offset..<max(offset, file.size), statedCount)
      isCountedByBlock = false
      return
    }
    blocks = begin..<file.size
    let last =
      Self.isEndRead(of: file, stated)
      ? try Self.lastBlock(of: file, behind: begin, isNeeded: statedCount == nil) : nil
    // Before 2007 blocks of different sizes told the numbers of their samples without saying so.
    let isOld =
      stated?.hasBlockSizes == true
      && (statedCount ?? 0) == last.map { $0.number + Int64($0.samples) }
    let isVariable = first.isVariable || isOld
    let size = isVariable ? 1 : Int64(first.samples)
    let end = last.map { $0.number * size + Int64($0.samples) }
    let number = first.number * size
    let counted = end.flatMap { $0 > number ? $0 - number : nil }
    (frameCount, isCountedByBlock) = (counted ?? statedCount, counted != nil)
    var info = stated ?? FLACInfo(of: first)
    info?.setBlockSize(isVariable ? nil : first.samples)
    info?.frameCount = frameCount.map { number + $0 } ?? 0
    self.info = info
  }

  /// "fLaC" and the STREAMINFO, as if nothing else were in front of the blocks.
  var head: [UInt8] {
    Array("fLaC".utf8) + [0x80, 0, 0, UInt8(FLACInfo.size)] + (info?.bytes ?? [])
  }

  /// Returns the place where blocks begin behind no header; `nil` where they do not within `junkLimit` bytes.
  static func start(in file: RegularFile, from offset: Int64) throws(SoundFileError) -> Int64? {
    try search(file, from: offset)?.begin
  }

  /// The STREAMINFO, what follows the headers from `offset` on, and whether the last of them was the last.
  private static func headers(
    of file: RegularFile, from offset: Int64
  ) throws(SoundFileError) -> (FLACInfo?, Int64, Bool) {
    var (info, offset) = (FLACInfo?.none, offset)
    for _ in 0..<1000 {
      let header = try file.bytes(at: offset, count: 4)
      // One of a kind that there is not, or that leads out of the file, is none: what follows is searched.
      guard header.count == 4, header[0] & 0x7F <= 6,
        case let end = offset + 4 + Int64(header.big(at: 1, 3)), end <= file.size
      else { break }
      if header[0] & 0x7F == 0, info == nil {
        info = FLACInfo(try file.bytes(at: offset + 4, count: FLACInfo.size))
      }
      offset = end
      if header[0] & 0x80 != 0 { return (info, offset, true) }
    }
    return (info, offset, false)
  }

  /// The first block from `offset` on, and where it begins.
  private static func firstBlock(
    of file: RegularFile, from offset: Int64
  ) throws(SoundFileError) -> (block: FLACBlock, begin: Int64)? {
    let head = try file.bytes(at: offset, count: FLACBlock.longestHeader)
    if let block = FLACBlock(head[...]) { return (block, offset) }
    return try search(file, from: offset)
  }

  /// The first block that ends where another one begins, or the file does.
  private static func search(
    _ file: RegularFile, from offset: Int64
  ) throws(SoundFileError) -> (block: FLACBlock, begin: Int64)? {
    let bytes = try file.bytes(at: offset, count: junkLimit)
    let places = bytes.indices.dropLast(FLACBlock.shortest).filter {
      bytes[$0] == 0xFF && bytes[$0 + 1] & 0xFE == 0xF8 && FLACBlock(bytes[$0...]) != nil
    }
    for (i, place) in places.enumerated() {
      guard let block = FLACBlock(bytes[place...]) else { continue }
      let ends = places[(i + 1)...].prefix(8)
      if ends.contains(where: { FLACBlock.checksum(bytes[place..<$0]) == 0 })
        || bytes.count < junkLimit && FLACBlock.checksum(bytes[place...]) == 0
      {
        return (block, offset + Int64(place))
      }
    }
    return nil
  }

  /// Tells whether the last block is looked at: of what is elsewhere, only for what the header leaves open.
  private static func isEndRead(of file: RegularFile, _ stated: FLACInfo?) -> Bool {
    guard file.isRemote else { return true }
    guard !file.isSequential, let stated else { return false }
    return stated.frameCount == 0 || stated.hasBlockSizes
  }

  /// The block that ends with the file, or with an ID3v1 tag behind it.
  private static func lastBlock(
    of file: RegularFile, behind begin: Int64, isNeeded: Bool
  ) throws(SoundFileError) -> FLACBlock? {
    var end = file.size
    if try file.bytes(at: end - 128, count: 3).text(at: 0, 3) == "TAG" { end -= 128 }
    // A block of 4,096 samples on two channels has 16 kB of CD quality; the largest by far is 256 kB.
    for length in [Int64(1 << 16), 1 << 18] {
      let start = max(begin, end - length)
      guard start < end else { return nil }
      let tail = try file.bytes(at: start, count: Int(end - start))
      if let last = lastBlock(in: tail) { return last }
      if start == begin || !isNeeded { return nil }
    }
    return nil
  }

  private static func lastBlock(in tail: [UInt8]) -> FLACBlock? {
    for i in tail.indices.dropLast(FLACBlock.shortest).reversed() where tail[i] == 0xFF {
      guard let block = FLACBlock(tail[i...]), FLACBlock.checksum(tail[i...]) == 0 else { continue }
      return block
    }
    return nil
  }
}
