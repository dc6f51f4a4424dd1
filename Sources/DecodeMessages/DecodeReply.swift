// SPDX-License-Identifier: Apache-2.0

/// An answer of the helper; the samples of `.frames` follow the payload.
package enum DecodeReply: Equatable, Sendable {
  /// The file is open.
  case opened(StreamDescription)
  case frames(FramesHeader)
  case done
  case counted(CountedFrames)
  case chapters([ToldChapter])
  case failed(DecodeFailure)
  /// No reply yet: so many bytes of the file, 1 at least, from a place on are needed for it.
  case wants(offset: Int64, count: Int)

  /// Header and payload.
  package var bytes: [UInt8] {
    var payload = WireWriter()
    switch self {
    case .opened(let description): description.write(to: &payload)
    case .frames(let header): header.write(to: &payload)
    case .done: break
    case .counted(let counted): counted.write(to: &payload)
    case .failed(let failure): failure.write(to: &payload)
    case .wants(let offset, let count):
      payload.add(offset)
      payload.add(UInt32(clamping: count))
    case .chapters(let chapters):
      payload.add(UInt32(chapters.count))
      for chapter in chapters { chapter.write(to: &payload) }
    }
    var all = WireWriter()
    all.add(name)
    all.add(UInt32(payload.bytes.count))
    return all.bytes + payload.bytes
  }

  private var name: UInt32 {
    switch self {
    case .opened: 1
    case .frames: 2
    case .done: 3
    case .counted: 4
    case .failed: 5
    case .chapters: 6
    case .wants: 7
    }
  }

  /// The name of a reply and the length of its payload, of `DecodeProtocol.headerSize` bytes; nil for what is none.
  package static func header(_ bytes: [UInt8]) -> (name: UInt32, payloadSize: Int)? {
    var reader = WireReader(bytes)
    guard let name = reader.integer(UInt32.self), let size = reader.integer(UInt32.self),
      (1...7).contains(name), size <= DecodeProtocol.mostText
    else { return nil }
    return (name, Int(size))
  }

  /// nil for what is no reply of that name.
  package init?(name: UInt32, payload: [UInt8]) {
    var reader = WireReader(payload)
    switch name {
    case 1:
      guard let description = StreamDescription(&reader) else { return nil }
      self = .opened(description)
    case 2:
      guard let header = FramesHeader(&reader) else { return nil }
      self = .frames(header)
    case 3: self = .done
    case 4:
      guard let counted = CountedFrames(&reader) else { return nil }
      self = .counted(counted)
    case 5:
      guard let failure = DecodeFailure(&reader) else { return nil }
      self = .failed(failure)
    case 6:
      guard let count = reader.integer(UInt32.self), count <= DecodeProtocol.mostChapters else {
        return nil
      }
      var chapters: [ToldChapter] = []
      for _ in 0..<count {
        guard let chapter = ToldChapter(&reader) else { return nil }
        chapters.append(chapter)
      }
      self = .chapters(chapters)
    case 7:
      guard let offset = reader.integer(Int64.self), let count = reader.integer(UInt32.self),
        (0...ShownFile.longestFile).contains(offset),
        (1...DecodeProtocol.mostBytes).contains(Int(count))
      else { return nil }
      self = .wants(offset: offset, count: Int(count))
    default: return nil
    }
  }
}
