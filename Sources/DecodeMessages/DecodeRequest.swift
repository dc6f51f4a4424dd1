// SPDX-License-Identifier: Apache-2.0

/// A request to the helper.
package enum DecodeRequest: Equatable, Sendable {
  /// The next frames, so many at most; the reply is `.frames`.
  case read(frames: Int)
  /// The next read begins with this frame; the reply is `.done`.
  case seek(frame: Int64)
  /// A further part of the file is looked through for its length; the reply is `.counted`.
  case count
  /// Some chapters from a number on, from 0; the reply is `.chapters`.
  case chapters(from: Int)
  /// So many bytes of the file follow, which were wanted; 0 at its end.
  case bytes(count: Int)
  /// The bytes that were wanted cannot be had, by an `errno`.
  case noBytes(code: Int32)

  /// `DecodeProtocol.requestSize` bytes.
  package var bytes: [UInt8] {
    var writer = WireWriter()
    switch self {
    case .read(let frames): writer.add(numbers: 1, Int64(frames))
    case .seek(let frame): writer.add(numbers: 2, frame)
    case .count: writer.add(numbers: 3, 0)
    case .chapters(let number): writer.add(numbers: 4, Int64(number))
    case .bytes(let count): writer.add(numbers: 5, Int64(count))
    case .noBytes(let code): writer.add(numbers: 6, Int64(max(0, code)))
    }
    return writer.bytes
  }

  /// nil for what is no request.
  package init?(_ bytes: [UInt8]) {
    var reader = WireReader(bytes)
    guard let name = reader.integer(Int64.self), let value = reader.integer(Int64.self), value >= 0
    else { return nil }
    switch name {
    case 1 where (1...Int64(DecodeProtocol.mostFrames)).contains(value):
      self = .read(frames: Int(value))
    case 2: self = .seek(frame: value)
    case 3: self = .count
    case 4 where value <= Int64(DecodeProtocol.mostChaptersOfFile):
      self = .chapters(from: Int(value))
    case 5 where value <= Int64(DecodeProtocol.mostBytes): self = .bytes(count: Int(value))
    case 6: self = .noBytes(code: Int32(clamping: value))
    default: return nil
    }
  }
}

extension WireWriter {
  fileprivate mutating func add(numbers name: Int64, _ value: Int64) {
    add(name)
    add(value)
  }
}
