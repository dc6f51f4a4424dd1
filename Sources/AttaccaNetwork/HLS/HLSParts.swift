// SPDX-License-Identifier: Apache-2.0

import Glibc
import SoundFiles

/// Segments that go on from each other are the bytes of one file; what begins anew is another part.
final class HLSParts {
  /// One of them, as far as it has come.
  final class Part {
    fileprivate(set) var count: Int64 = 0
    fileprivate(set) var isWhole = false
    /// Once it has been decoded to its end.
    var frameCount: Int64?
    fileprivate let spool: Spool
    fileprivate let stream: String

    fileprivate init(_ stream: String, name: String) throws(SoundFileError) {
      (self.stream, spool) = (stream, try Spool(for: name))
    }

    fileprivate func append(_ bytes: [UInt8], name: String) throws(SoundFileError) {
      let code = bytes.withUnsafeBytes { spool.write($0, at: count) }
      guard code == 0 else {
        throw SoundFileError(
          .unreadable, path: name, call: "pwrite", code: -code,
          cause: "what was loaded cannot be kept: \(String(cString: strerror(-code)))")
      }
      count += Int64(bytes.count)
    }
  }

  let session: HLSSession
  private let name: String
  private let standing: HLSStanding
  private let limit: Int64
  private(set) var parts: [Part] = []
  /// Parts that are not kept any more.
  private(set) var dropped = 0

  init(_ session: HLSSession, name: String, limit: Int64, _ standing: HLSStanding) {
    (self.session, self.name, self.limit, self.standing) = (session, name, limit, standing)
    standing.values = HLSStanding.Values(isLive: session.isLive, total: session.seconds)
  }

  /// The part of a number, the first segment of which is there; nil behind the last.
  func part(_ number: Int) throws(SoundFileError) -> Part? {
    while number - dropped >= parts.count {
      guard try extend() else { return nil }
    }
    return parts[number - dropped]
  }

  /// Loads another segment.
  ///
  /// - Returns: false at the end.
  func extend() throws(SoundFileError) -> Bool {
    guard let piece = try session.next() else {
      parts.last?.isWhole = true
      return false
    }
    var values = standing.values ?? HLSStanding.Values(isLive: session.isLive)
    (values.isLive, values.total) = (session.isLive, session.seconds)
    values.loaded += piece.seconds
    standing.values = values
    if let last = parts.last, !last.isWhole, !piece.beginsAnew, last.stream == piece.stream {
      try last.append(piece.bytes, name: name)
      return true
    }
    parts.last?.isWhole = true
    let made = try Part(piece.stream, name: name)
    try made.append(piece.header + piece.bytes, name: name)
    parts.append(made)
    return true
  }

  /// Forgets what is behind byte `place` of part `number` where there is too much, or nobody can go back.
  func forget(before place: Int64, of number: Int) {
    let all = parts.reduce(0) { $0 + $1.count }
    guard session.isLive || all > limit else { return }
    while dropped < number, !parts.isEmpty {
      parts.removeFirst()
      dropped += 1
    }
    guard session.isLive, place > 2 << 20, number - dropped < parts.count else { return }
    parts[number - dropped].spool.forget(0..<place - 1 << 20)
  }

  /// Begins again with the first segment: what came first is not there any more.
  func startAnew() {
    session.startAnew()
    (parts, dropped) = ([], 0)
  }
}

/// The bytes of one part, for who decodes it.
final class HLSBytes: RemoteBytes {
  private let parts: HLSParts
  private let part: HLSParts.Part
  private let number: Int
  private let handover: FrameHandover
  private(set) var failure: SoundFileError?
  /// A read was given up.
  private(set) var wasInterrupted = false

  init(_ parts: HLSParts, _ part: HLSParts.Part, _ number: Int, for handover: FrameHandover) {
    (self.parts, self.part, self.number, self.handover) = (parts, part, number, handover)
  }

  var size: Int64? { part.isWhole ? part.count : nil }
  var isSequential: Bool { true }

  func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    while offset >= part.count {
      guard !part.isWhole else { return 0 }
      guard !handover.isInterrupted else { return interrupted() }
      do throws(SoundFileError) {
        _ = try parts.extend()
      } catch {
        if error.code == ECANCELED { return interrupted() }
        failure = error
        return -Int(EIO)
      }
      parts.forget(before: offset, of: number)
    }
    let count = Int(min(Int64(buffer.count), part.count - offset))
    return part.spool.read(
      at: offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
  }

  private func interrupted() -> Int {
    wasInterrupted = true
    return -Int(ECANCELED)
  }
}
