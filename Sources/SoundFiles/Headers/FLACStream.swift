// SPDX-License-Identifier: Apache-2.0

/// The STREAMINFO of a FLAC file (RFC 9639 §8.2), and the count of frames where a writer to a pipe could not
/// go back to put it there.
///
/// libsndfile neither seeks in such a file nor tells its length. Each block of samples tells which it is:
/// the last one tells the length.
struct FLACStream {
  /// The beginning of the file up to the end of the STREAMINFO.
  private var head: [UInt8]
  private let start: Int64
  private let file: RegularFile

  private static let headBytes = 4 + 4 + 34
  private static let count = 21..<26

  /// `nil` where the file tells its length.
  init?(uncounted file: RegularFile, from start: Int64) throws(SoundFileError) {
    head = try file.bytes(at: start, count: Self.headBytes)
    (self.start, self.file) = (start, file)
    guard head.count == Self.headBytes, head.big(at: Self.count.lowerBound, 5) & 0xF_FFFF_FFFF == 0
    else { return nil }
  }

  /// The beginning as it would be with the count, and where the file goes on behind it.
  ///
  /// `nil` where the count cannot be found: the first block is not number 0, or the last is not whole.
  func counted() throws(SoundFileError) -> (head: [UInt8], rest: Range<Int64>)? {
    guard let audio = try audioStart(),
      let first = FLACBlock(try file.bytes(at: audio, count: FLACBlock.longestHeader)[...]),
      first.number == 0, let frames = try frameCount(from: audio), frames < 1 << 36
    else { return nil }
    var head = head
    let field = head.big(at: Self.count.lowerBound, 5) | UInt64(frames)
    for (i, place) in Self.count.enumerated() {
      head[place] = UInt8(truncatingIfNeeded: field >> UInt64(8 * (4 - i)))
    }
    return (head, start + Int64(Self.headBytes)..<file.size)
  }

  /// Where the blocks of samples begin: behind the metadata.
  private func audioStart() throws(SoundFileError) -> Int64? {
    var offset = start + 4
    for _ in 0..<1000 {
      let header = try file.bytes(at: offset, count: 4)
      guard header.count == 4 else { return nil }
      offset += 4 + Int64(header.big(at: 1, 3))
      if header[0] & 0x80 != 0 { return offset }
    }
    return nil
  }

  /// Frames up to the end of the last block, which ends with the file or with an ID3v1 tag behind it.
  private func frameCount(from audio: Int64) throws(SoundFileError) -> Int64? {
    var end = file.size
    if try file.bytes(at: end - 128, count: 3).text(at: 0, 3) == "TAG" { end -= 128 }
    // A block of 4,096 samples on two channels has 16 kB of CD quality; the largest by far is 256 kB.
    for length in [Int64(1 << 16), 1 << 18] {
      let begin = max(audio, end - length)
      guard begin < end else { return nil }
      let tail = try file.bytes(at: begin, count: Int(end - begin))
      if let last = lastBlock(in: tail) { return frames(upTo: last) }
      if begin == audio { return nil }
    }
    return nil
  }

  /// The block that ends where `tail` does.
  private func lastBlock(in tail: [UInt8]) -> FLACBlock? {
    for i in tail.indices.dropLast(FLACBlock.shortest).reversed() where tail[i] == 0xFF {
      guard let block = FLACBlock(tail[i...]), FLACBlock.checksum(tail[i...]) == 0 else { continue }
      return block
    }
    return nil
  }

  /// A block of fixed size tells its number, another its first sample.
  private func frames(upTo last: FLACBlock) -> Int64? {
    if last.isVariable { return last.number + Int64(last.samples) }
    let (least, most) = (Int64(head.big(at: 8, 2)), Int64(head.big(at: 10, 2)))
    guard least == most, last.samples <= most else { return nil }
    return last.number * most + Int64(last.samples)
  }
}
