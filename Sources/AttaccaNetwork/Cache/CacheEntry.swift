// SPDX-License-Identifier: Apache-2.0

import Attacca
import Dispatch
import Glibc

/// One file of a cache: a head, a table of digests of its blocks, and the bytes.
///
/// A block is believed once the table's digest is its own. So it does not matter when a process or the machine ends,
/// or whether another process writes the same file, whose bytes are the same.
final class CacheEntry: @unchecked Sendable {
  // @unchecked: what is mutable is touched only between wait and signal of `semaphore`; the file is for all threads.
  /// A server's account of a file, as it was when the entry was made.
  struct Head: Hashable {
    var total: Int64
    /// A strong tag with its quotes, or a date.
    var validator: String
    var hasRanges: Bool?
    var type: String?
    /// For people who look into the file.
    var address: String

    /// Bytes that no entry has; the table of one of so many would have 16 MB.
    static let largest: Int64 = 1 << 36
  }

  let head: Head
  let folder: CacheFolder
  /// Ranges that were there when it was opened, each of which may turn out to be unsound.
  let loaded: LoadedRanges
  private let descriptor: Int32
  private let semaphore = DispatchSemaphore(value: 1)
  /// Ranges of an earlier run, or another process, whose digests nobody has looked at.
  private var unproven: LoadedRanges

  static let block: Int64 = 64 << 10
  static let headSize: Int64 = 4_096

  private init(_ head: Head, _ folder: CacheFolder, _ descriptor: Int32) {
    (self.head, self.folder, self.descriptor) = (head, folder, descriptor)
    loaded = Self.ranges(of: head, in: descriptor)
    unproven = loaded
  }

  deinit {
    // Somebody has read it until now, hours of a book perhaps.
    CacheFolder.noteUse(of: descriptor)
    close(descriptor)
  }

  /// The entry called `name`; nil where there is none, or none that can be read.
  static func open(_ name: String, in folder: CacheFolder) -> CacheEntry? {
    guard let file = folder.open(name) else { return nil }
    var text = [UInt8](repeating: 0, count: Int(headSize))
    let count = text.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, 0) }
    var status = stat()
    guard count == text.count, let head = Head(text), fstat(file, &status) == 0,
      Int64(status.st_size) == size(of: head)
    else {
      close(file)
      return nil
    }
    return CacheEntry(head, folder, file)
  }

  /// A new entry without bytes in the place of one called `name`; nil where it cannot be kept.
  static func create(_ name: String, _ head: Head, in folder: CacheFolder) -> CacheEntry? {
    guard let text = head.text,
      let file = folder.create(name, size: size(of: head), head: text)
    else { return nil }
    return CacheEntry(head, folder, file)
  }

  // MARK: Places

  private static func blockCount(of head: Head) -> Int { Int((head.total + block - 1) / block) }

  /// Place of the first byte in the entry.
  private static func start(of head: Head) -> Int64 {
    (headSize + Int64(CacheDigest.size * blockCount(of: head)) + 4_095) / 4_096 * 4_096
  }

  static func size(of head: Head) -> Int64 { start(of: head) + head.total }

  private static func range(of block: Int, in head: Head) -> Range<Int64> {
    Int64(block) * Self.block..<min(head.total, Int64(block + 1) * Self.block)
  }

  private func range(of block: Int) -> Range<Int64> { Self.range(of: block, in: head) }

  private func place(of block: Int) -> off_t {
    off_t(Self.headSize + Int64(CacheDigest.size * block))
  }

  // MARK: Bytes

  private static func ranges(of head: Head, in descriptor: Int32) -> LoadedRanges {
    let (size, count) = (CacheDigest.size, blockCount(of: head))
    var table = [UInt8](repeating: 0, count: size * count)
    _ = table.withUnsafeMutableBytes { Spool.read(at: headSize, into: $0, from: descriptor) }
    var ranges = LoadedRanges()
    for i in 0..<count where table[(size * i)..<(size * (i + 1))].contains(where: { $0 != 0 }) {
      ranges.insert(range(of: i, in: head))
    }
    return ranges
  }

  /// - Returns: the negated `errno` of a failure, else 0.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Int32 {
    let code = Spool.write(bytes, at: Self.start(of: head) + offset, to: descriptor)
    if code == 0 {
      semaphore.withLock { unproven.remove(offset..<offset + Int64(bytes.count)) }
    }
    return code
  }

  /// Reads from one block.
  ///
  /// - Returns: bytes read, or the negated `errno` of a failure: EBADMSG where the block is not what was written.
  func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let block = Int(offset / Self.block)
    let isProven = semaphore.withLock { unproven.run(from: offset) == 0 }
    guard isProven || prove(block) else { return -Int(EBADMSG) }
    let count = Int(min(Int64(buffer.count), range(of: block).upperBound - offset))
    return Spool.read(
      at: Self.start(of: head) + offset,
      into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), from: descriptor)
  }

  /// - Returns: whether a block of an earlier run is what was written then.
  private func prove(_ block: Int) -> Bool {
    var known = [UInt8](repeating: 0, count: CacheDigest.size)
    let count = known.withUnsafeMutableBytes {
      pread(descriptor, $0.baseAddress, $0.count, place(of: block))
    }
    let isRight = count == known.count && digest(of: block)?.bytes == known
    semaphore.withLock { unproven.remove(range(of: block)) }
    return isRight
  }

  private func digest(of block: Int) -> CacheDigest? {
    let range = range(of: block)
    var bytes = [UInt8](repeating: 0, count: range.count)
    let count = bytes.withUnsafeMutableBytes {
      Spool.read(at: Self.start(of: head) + range.lowerBound, into: $0, from: descriptor)
    }
    return count == bytes.count ? CacheDigest(of: bytes) : nil
  }

  /// Enters the blocks that `range` touches, as far as they are `loaded`, into the table: later runs have them.
  func seal(_ range: Range<Int64>, of loaded: LoadedRanges) {
    guard !range.isEmpty else { return }
    for block in Int(range.lowerBound / Self.block)...Int((range.upperBound - 1) / Self.block) {
      let whole = self.range(of: block)
      guard !whole.isEmpty, loaded.run(from: whole.lowerBound) >= Int64(whole.count),
        let digest = digest(of: block)
      else { continue }
      _ = digest.bytes.withUnsafeBytes {
        pwrite(descriptor, $0.baseAddress, $0.count, place(of: block))
      }
    }
  }

  /// The block that byte `offset` is in.
  func blockRange(at offset: Int64) -> Range<Int64> { range(of: Int(offset / Self.block)) }
}

extension CacheEntry.Head {
  /// As it stands in front of the file; nil where it would be too long.
  var text: [UInt8]? {
    var lines = ["attacca-cache 1", "total \(total)", "validator \(validator)"]
    if let hasRanges { lines.append("ranges \(hasRanges)") }
    if let type { lines.append("type \(type)") }
    lines.append("address \(address)")
    let bytes = Array(lines.joined(separator: "\n").utf8)
    guard total < Self.largest, bytes.count < 4_096,
      !lines.contains(where: { $0.contains(where: \.isNewline) })
    else { return nil }
    return bytes + [UInt8](repeating: 0, count: 4_096 - bytes.count)
  }

  /// The head that `text` says; nil for what no entry begins with.
  init?(_ text: [UInt8]) {
    let lines = String(decoding: text.prefix { $0 != 0 }, as: UTF8.self).split(separator: "\n")
    guard lines.first == "attacca-cache 1" else { return nil }
    var values: [Substring: Substring] = [:]
    for line in lines.dropFirst() {
      guard let space = line.firstIndex(of: " ") else { return nil }
      values[line[..<space]] = line[line.index(after: space)...]
    }
    guard let total = values["total"].flatMap({ Int64($0) }), (0..<Self.largest).contains(total),
      let validator = values["validator"], let address = values["address"]
    else { return nil }
    self.init(
      total: total, validator: String(validator),
      hasRanges: values["ranges"].map { $0 == "true" }, type: values["type"].map { String($0) },
      address: String(address))
  }
}
