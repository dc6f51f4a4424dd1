// SPDX-License-Identifier: Apache-2.0

import CDescriptors
import DecodeMessages
import Dispatch
import Glibc

/// The process attacca-decode, which decodes what the libraries linked here do not.
///
/// It is started for the first such file, and again if it has ended; it has a process of its own for each file.
/// Thread-safe.
final class DecodeHelper: @unchecked Sendable {
  static let shared = DecodeHelper()

  // @unchecked: touched only between wait and signal of `turn`.
  private var running: Running?
  private let turn = DispatchSemaphore(value: 1)

  private struct Running {
    let process: pid_t
    let control: Int32
  }

  /// Has the helper decode what `shown` says of an open file.
  ///
  /// - Returns: the socket on which it answers.
  func open(
    _ file: RegularFile, _ shown: ShownFile, kind: String
  ) throws(SoundFileError) -> Int32 {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0
    else { throw Self.failed(file, "socketpair") }
    defer { close(ends[1]) }
    do throws(SoundFileError) {
      let descriptor = try file.duplicate()
      defer { close(descriptor) }
      turn.wait()
      defer { turn.signal() }
      // A helper that has rested for half a minute has ended.
      if running == nil || !send(descriptor, ends[1], shown) {
        stop()
        running = try Self.start(for: file, kind: kind)
        // One that has ended by now is found to when it does not answer.
        guard send(descriptor, ends[1], shown) || errno == EPIPE || errno == ECONNRESET else {
          throw Self.failed(file, "sendmsg")
        }
      }
      return ends[0]
    } catch {
      close(ends[0])
      throw error
    }
  }

  private func send(_ file: Int32, _ socket: Int32, _ shown: ShownFile) -> Bool {
    guard let running else { return false }
    let version = DecodeProtocol.version.littleEndian
    var message = withUnsafeBytes(of: version) { Array($0) } + shown.bytes
    let count = message.count
    return attacca_send_descriptors(running.control, &message, count, [file, socket], 2) == count
  }

  private func stop() {
    guard let ended = running else { return }
    close(ended.control)
    waitpid(ended.process, nil, WNOHANG)
    running = nil
  }

  /// How the helper has ended.
  enum Ending {
    /// It runs.
    case none
    case over
    /// The system could not load it.
    case unloadable
  }

  /// Whether the helper has ended; it is started anew for the next file then.
  func ending() -> Ending {
    turn.wait()
    defer { turn.signal() }
    // Another thread has met the same, and put it away.
    guard let started = running else { return .over }
    // The loader has said why to nobody; its socket is gone milliseconds before it is.
    var (status, tries) = (Int32(0), 0)
    while waitpid(started.process, &status, WNOHANG) == 0 {
      tries += 1
      guard tries < 50 else { return .none }
      usleep(1_000)
    }
    close(started.control)
    running = nil
    return status & 0x7F == 0 && (status >> 8) & 0xFF == 127 ? .unloadable : .over
  }

  // MARK: Starting

  private static func start(
    for file: RegularFile, kind: String
  ) throws(SoundFileError) -> Running {
    guard let program = DecodeHelperPlace.path else {
      throw SoundFileError(
        .unsupported, path: file.path, call: "attacca-decode",
        cause: """
          \(kind) is decoded by the program attacca-decode, which is neither beside this one nor in PATH; \
          swift build --product attacca-decode makes it
          """)
    }
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0
    else { throw failed(file, "socketpair") }
    defer { close(ends[1]) }
    var process: pid_t = 0
    let code = attacca_start(
      program, "--serve", ends[1], DecodeProtocol.controlDescriptor, &process)
    guard code == 0 else {
      close(ends[0])
      throw SoundFileError(
        .unsupported, path: file.path, call: "posix_spawn", code: code,
        cause: "\(program) cannot be started: \(SystemError(code: code).text)")
    }
    return Running(process: process, control: ends[0])
  }

  private static func failed(_ file: RegularFile, _ call: String) -> SoundFileError {
    let code = errno
    return SoundFileError(
      .unreadable, path: file.path, call: call, code: code, cause: SystemError(code: code).text)
  }
}
