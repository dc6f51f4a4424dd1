// SPDX-License-Identifier: Apache-2.0

/// A run of bytes with frames of ID3v2 in it: of the file, or made of it where a tag is unsynchronised.
struct ID3Region {
  private let file: RegularFile
  /// Nil for a region of the file.
  private let memory: [UInt8]?
  /// Places in the file, or in the memory.
  let range: Range<Int64>

  init(_ range: Range<Int64>, of file: RegularFile) {
    (self.file, memory, self.range) = (file, nil, range.clamped(to: 0..<file.size))
  }

  private init(_ memory: [UInt8], of file: RegularFile) {
    (self.file, self.memory, range) = (file, memory, 0..<Int64(memory.count))
  }

  private init(_ other: ID3Region, _ range: Range<Int64>) {
    (file, memory, self.range) = (other.file, other.memory, range.clamped(to: other.range))
  }

  /// The bytes from a place on, within the region.
  func bytes(at place: Int64, count: Int) throws(SoundFileError) -> [UInt8] {
    guard range.contains(place), count > 0 else { return [] }
    let wanted = Int(min(Int64(count), range.upperBound - place))
    guard let memory else { return try file.bytes(at: place, count: wanted) }
    return Array(memory[Int(place)..<Int(place) + wanted])
  }

  /// Bytes of the file from a place on, whatever the region is of.
  func bytesInFile(_ place: Int64, count: Int) throws(SoundFileError) -> [UInt8] {
    try file.bytes(at: place, count: count)
  }

  func part(_ part: Range<Int64>) -> ID3Region { ID3Region(self, part) }

  /// True where its places are those of the file.
  var isOfFile: Bool { memory == nil }

  /// The first `count` bytes without the zeros that stand behind each 0xFF (§6.1).
  func resynchronised(atMost count: Int) throws(SoundFileError) -> ID3Region {
    let bytes = try bytes(at: range.lowerBound, count: count)
    return ID3Region(Self.resynchronise(bytes[...]), of: file)
  }

  static func resynchronise(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var (result, last): ([UInt8], UInt8) = ([], 0)
    result.reserveCapacity(bytes.count)
    for byte in bytes {
      if !(last == 0xFF && byte == 0) { result.append(byte) }
      last = byte
    }
    return result
  }
}
