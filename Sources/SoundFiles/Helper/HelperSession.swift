// SPDX-License-Identifier: Apache-2.0

import DecodeMessages
import MediaTime

/// One file that the helper has open; for one thread at a time.
final class HelperSession {
  /// The reason for which a request has no reply.
  enum Failure: Error {
    /// The process that decodes the file is gone.
    case ended
    /// The answer is no reply to the request.
    case senseless
    case refused(DecodeFailure)
    /// The helper cannot be asked at all.
    case unopened(SoundFileError)
  }

  let description: StreamDescription
  private let socket: HelperSocket
  /// Processes that are asked the same, beside the first, where each is ended: by the file, or from outside.
  static let triesAgain = 3
  /// Nanoseconds of work behind which a file whose process has ended is not tried again.
  static let longestTry: UInt64 = 2_000_000_000
  /// Nanoseconds for which bytes of the file have been waited for.
  var waited: UInt64 { socket.waited }

  /// Blocks until the file is open.
  init(_ file: RegularFile, _ shown: ShownFile, kind: String) throws(SoundFileError) {
    var (opened, tries): ((HelperSocket, StreamDescription)?, Int) = (nil, 0)
    while opened == nil {
      let begin = HostTime.now()
      do throws(Failure) {
        opened = try Self.open(file, shown, kind: kind)
      } catch {
        guard case .ended = error else { throw Self.error(error, path: file.path) }
        if DecodingProgram.shared.ending() == .unloadable {
          throw SoundFileError(
            .unsupported, path: file.path, call: "attacca-decode", code: 127,
            cause: """
              attacca-decode cannot be loaded; it needs the packages libavformat59 and libavcodec59
              """)
        }
        // The program had rested for long, and ended just when it was asked; or somebody has ended the process.
        guard tries < Self.triesAgain, HostTime.now() - begin < Self.longestTry else {
          throw Self.error(error, path: file.path)
        }
        tries += 1
      }
    }
    (socket, description) = opened!
  }

  private static func open(
    _ file: RegularFile, _ shown: ShownFile, kind: String
  ) throws(Failure) -> (HelperSocket, StreamDescription) {
    let socket: HelperSocket
    do throws(SoundFileError) {
      socket = HelperSocket(try DecodingProgram.shared.open(file, shown, kind: kind), of: file)
    } catch {
      throw .unopened(error)
    }
    guard case .opened(let description) = try socket.reply() else { throw .senseless }
    return (socket, description)
  }

  /// A failure as the error of a file.
  static func error(_ failure: Failure, path: String) -> SoundFileError {
    switch failure {
    case .unopened(let error): error
    case .ended:
      SoundFileError(
        .broken, path: path, call: "attacca-decode",
        cause: "attacca-decode ended while it decoded it")
    case .senseless:
      SoundFileError(
        .broken, path: path, call: "attacca-decode", cause: "attacca-decode answers nonsense")
    case .refused(let failure):
      SoundFileError(
        kind(failure.kind), path: path, call: failure.call, code: failure.code,
        cause: failure.cause)
    }
  }

  private static func kind(_ kind: DecodeFailure.Kind) -> SoundFileError.Kind {
    switch kind {
    case .unreadable: .unreadable
    case .empty: .empty
    case .unsupported, .otherVersion: .unsupported
    case .absurdHeader: .absurdHeader
    case .broken: .broken
    }
  }

  // MARK: Asking

  func seek(to frame: Int64) throws(Failure) {
    guard case .done = try ask(.seek(frame: frame)) else { throw .senseless }
  }

  func count() throws(Failure) -> CountedFrames {
    guard case .counted(let counted) = try ask(.count) else { throw .senseless }
    return counted
  }

  /// All chapters that the container tells of.
  func chapters() throws(Failure) -> [ToldChapter] {
    var all: [ToldChapter] = []
    while all.count < description.chapterCount {
      guard case .chapters(let more) = try ask(.chapters(from: all.count)), !more.isEmpty else {
        throw .senseless
      }
      all += more
    }
    return all
  }

  /// Decodes up to `count` frames of `channels` channels to `samples`; the header says how many there are.
  func read(
    _ count: Int, of channels: Int, into samples: UnsafeMutablePointer<Float>
  ) throws(Failure) -> FramesHeader {
    let most = min(count, DecodeProtocol.mostFrames)
    guard case .frames(let header) = try ask(.read(frames: most)), header.count <= most,
      header.count == 0 || header.format.channelCount == channels
    else { throw .senseless }
    let size = header.count * channels * MemoryLayout<Float>.size
    try socket.receive(UnsafeMutableRawBufferPointer(start: samples, count: size))
    return header
  }

  private func ask(_ request: DecodeRequest) throws(Failure) -> DecodeReply {
    try socket.send(request.bytes)
    return try socket.reply()
  }
}

@available(*, unavailable) extension HelperSession: Sendable {}
