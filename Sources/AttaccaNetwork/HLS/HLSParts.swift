// SPDX-License-Identifier: Apache-2.0

import Glibc
import SampleBuffers
import SoundFiles

/// Segments that go on from each other are the bytes of one file; what begins anew is another part.
final class HLSParts {
  /// One of them, as far as it has come.
  final class Part {
    fileprivate(set) var count: Int64 = 0
    fileprivate(set) var isWhole = false
    /// Once it has been decoded to its end.
    var frameCount: Int64?
    /// Frames at its start that are decoded for those behind them alone.
    fileprivate(set) var leadCount: Int64 = 0
    /// Bytes at its start that are not kept any more.
    fileprivate(set) var forgotten: Int64 = 0
    /// The timed tags in it, by their times.
    private(set) var tags = PartTags()
    fileprivate let spool: Spool
    fileprivate let stream: String

    fileprivate init(_ stream: String, name: String) throws(SoundFileError) {
      (self.stream, spool) = (stream, try Spool(for: name))
    }

    fileprivate func append(_ piece: HLSSession.Piece, name: String) throws(SoundFileError) {
      tags.append(piece)
      try append(piece.bytes, name: name)
    }

    fileprivate func forget(before place: Int64) {
      guard place > forgotten else { return }
      spool.forget(forgotten..<place)
      forgotten = place
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
    standing.values = HLSStanding.Values(facts: session.facts)
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
    var values = standing.values ?? HLSStanding.Values(facts: session.facts)
    defer {
      values.isStarved = false
      standing.values = values
    }
    values.isStarved = true
    standing.values = values
    guard let piece = try session.next() else {
      parts.last?.isWhole = true
      values.isAtEnd = true
      return false
    }
    values.facts = session.facts
    (values.loaded, values.isFast) = (values.loaded + piece.seconds, piece.isFast)
    if let last = parts.last, !last.isWhole, !piece.beginsAnew, last.stream == piece.stream {
      try last.append(piece, name: name)
      return true
    }
    parts.last?.isWhole = true
    let made = try Part(piece.stream, name: name)
    made.leadCount = try frames(piece.header, piece.lead)
    let lead = made.leadCount > 0 ? piece.lead : []
    try made.append(piece.header + lead, name: name)
    try made.append(piece, name: name)
    parts.append(made)
    return true
  }

  /// Frames of a segment by itself; 0 for what cannot be decoded.
  private func frames(_ header: [UInt8], _ lead: [UInt8]) throws(SoundFileError) -> Int64 {
    guard !lead.isEmpty else { return 0 }
    do throws(SoundFileError) {
      let file = try SoundFile(header + lead, name: name, pool: FramePool())
      var count: Int64 = 0
      while let chunk = try file.read(frames: 4_608) { count += Int64(chunk.frameCount) }
      return count
    } catch {
      guard error.call != "attacca-decode" else { throw error }
      return 0
    }
  }

  /// Bytes that are kept.
  var keptCount: Int64 { parts.reduce(0) { $0 + $1.count - $1.forgotten } }

  /// Something that has been heard is not kept any more.
  var hasForgotten: Bool { dropped > 0 || parts.contains { $0.forgotten > 0 } }

  /// Forgets what is behind byte `place` of part `number` where there is too much, or nobody can go back.
  func forget(before place: Int64, of number: Int) {
    guard session.isLive || keptCount > limit else { return }
    while dropped < number, !parts.isEmpty, session.isLive || keptCount > limit {
      parts.removeFirst()
      dropped += 1
    }
    guard number >= dropped, number - dropped < parts.count else { return }
    // Who decodes may look back a little.
    let margin = min(1 << 20, limit / 2)
    let excess = session.isLive ? place - 2 * margin : keptCount - limit
    guard excess > 0, place > margin else { return }
    let part = parts[number - dropped]
    part.forget(before: min(place - margin, session.isLive ? .max : part.forgotten + excess))
  }

  /// The error of who reads what is not kept any more.
  fileprivate var tooFarBack: SoundFileError {
    SoundFileError(
      .unreadable, path: name, call: "HLS",
      cause: "a place is wanted again that was given up for room (\(limit >> 10) kB)")
  }

  /// Begins again with the first segment: what came first is not there any more.
  func startAnew() {
    session.startAnew()
    (parts, dropped) = ([], 0)
    standing.values?.loaded = 0
    standing.values?.isAtEnd = false
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
    guard offset >= part.forgotten else {
      failure = parts.tooFarBack
      return -Int(EIO)
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
