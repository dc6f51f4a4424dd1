// SPDX-License-Identifier: Apache-2.0

@testable import DecodeMessages

/// Takes bytes for messages of the process that decodes, and for those that it is sent.
enum HelperCheck {
  static func run(_ bytes: [UInt8]) throws {
    try StepTime.bounded("messages") {
      try checkRequest(bytes)
      try checkShown(bytes)
      try checkReply(bytes)
    }
  }

  private static func checkRequest(_ bytes: [UInt8]) throws {
    guard bytes.count >= DecodeProtocol.requestSize else { return }
    guard let request = DecodeRequest(Array(bytes.prefix(DecodeProtocol.requestSize))) else {
      return
    }
    try Finding.unless(DecodeRequest(request.bytes) == request, "\(request) is read as another")
    switch request {
    case .read(let count):
      try Finding.unless((1...DecodeProtocol.mostFrames).contains(count), "\(count) frames")
    case .bytes(let count):
      try Finding.unless((0...DecodeProtocol.mostBytes).contains(count), "\(count) bytes")
    case .chapters(let number):
      try Finding.unless(
        (0...DecodeProtocol.mostChaptersOfFile).contains(number), "chapter \(number)")
    case .seek(let frame): try Finding.unless(frame >= 0, "frame \(frame)")
    case .count, .noBytes: break
    }
  }

  private static func checkShown(_ bytes: [UInt8]) throws {
    guard let shown = ShownFile(bytes) else { return }
    try Finding.unless(
      shown.bytes.count + 4 <= ShownFile.longest, "a message of \(shown.bytes.count) bytes")
    try Finding.unless(ShownFile(shown.bytes) == shown, "\(shown) is read as another")
  }

  private static func checkReply(_ bytes: [UInt8]) throws {
    guard bytes.count >= DecodeProtocol.headerSize,
      let header = DecodeReply.header(Array(bytes.prefix(DecodeProtocol.headerSize)))
    else { return }
    try Finding.unless(header.payloadSize <= DecodeProtocol.mostText, "\(header.payloadSize)")
    let payload = Array(bytes.dropFirst(DecodeProtocol.headerSize))
    guard let reply = DecodeReply(name: header.name, payload: payload) else { return }
    let again = reply.bytes
    guard let other = DecodeReply.header(Array(again.prefix(DecodeProtocol.headerSize))) else {
      throw Finding("\(reply) has no header")
    }
    try Finding.unless(
      DecodeReply(
        name: other.name, payload: Array(again.dropFirst(DecodeProtocol.headerSize))) != nil,
      "\(reply) cannot be read again")
    if case .wants(let offset, let count) = reply {
      try Finding.unless(offset >= 0 && (1...DecodeProtocol.mostBytes).contains(count), "\(reply)")
    }
    if case .frames(let frames) = reply {
      try Finding.unless((0...DecodeProtocol.mostFrames).contains(frames.count), "\(reply)")
      try Finding.unless((1...64).contains(frames.format.channelCount), "\(reply)")
    }
  }
}
