// SPDX-License-Identifier: Apache-2.0

import CDescriptors
import DecodeMessages
import Dispatch
import Glibc

/// The process attacca-decode, which decodes what the libraries linked here do not.
///
/// It is started for the first such file, and again if it has ended; it has a process of its own for each file.
/// Thread-safe.
final class DecodingProgram: @unchecked Sendable {
  static let shared = DecodingProgram()

  // @unchecked: touched only between wait and signal of `turn`.
  private var running: Running?
  /// Closes the socket of the one that runs when it is cancelled.
  private var watch: (any DispatchSourceRead)?
  private var lastEnding = Ending.over
  private let turn = DispatchSemaphore(value: 1)
  private let queue = DispatchQueue(label: "attacca.helper")

  struct Running {
    let process: pid_t
    let control: Int32
  }

  private let start: @Sendable (RegularFile, String) throws(SoundFileError) -> Running

  init(
    start: @escaping @Sendable (RegularFile, String) throws(SoundFileError) -> Running =
      DecodingProgram.started
  ) {
    self.start = start
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
      defer { if let descriptor { close(descriptor) } }
      turn.wait()
      defer { turn.signal() }
      // A helper that has rested for half a minute has ended.
      if running == nil || !send(descriptor, ends[1], shown) {
        putAway()
        let started = try start(file, kind)
        running = started
        watch(started)
        // One that has ended already is met at the other end of `ends`, which it closes.
        guard send(descriptor, ends[1], shown) || [EPIPE, ECONNRESET].contains(errno) else {
          throw Self.failed(file, "sendmsg")
        }
      }
      return ends[0]
    } catch {
      close(ends[0])
      throw error
    }
  }

  private func send(_ file: Int32?, _ socket: Int32, _ shown: ShownFile) -> Bool {
    guard let running else { return false }
    let version = DecodeProtocol.version.littleEndian
    var message = withUnsafeBytes(of: version) { Array($0) } + shown.bytes
    let count = message.count
    let passed = (file.map { [$0] } ?? []) + [socket]
    return attacca_send_descriptors(
      running.control, &message, count, passed, Int32(passed.count)) == count
  }

  // MARK: Ending

  /// The end of a helper.
  enum Ending {
    /// It runs.
    case none
    case over
    /// The system could not load it.
    case unloadable
  }

  /// Tells how the helper has ended, if it has; it is started anew for the next file then.
  func ending() -> Ending {
    turn.wait()
    defer { turn.signal() }
    // Another thread has met the same, and put it away.
    guard let running else { return lastEnding }
    var control = pollfd(fd: running.control, events: 0, revents: 0)
    guard poll(&control, 1, 50) == 1 else { return .none }
    putAway()
    return lastEnding
  }

  /// Waits for the helper as soon as it has ended: the system keeps what nobody has waited for, and whoever waits
  /// for any process of this one, as Swift Testing does, meets it again and again.
  private func watch(_ started: Running) {
    let source = DispatchSource.makeReadSource(fileDescriptor: started.control, queue: queue)
    source.setEventHandler { [weak self] in
      guard let self else { return }
      turn.wait()
      defer { turn.signal() }
      if running?.process == started.process { putAway() }
    }
    source.setCancelHandler { close(started.control) }
    source.activate()
    watch = source
  }

  private func putAway() {
    guard let ended = running else { return }
    watch?.cancel()
    (running, watch) = (nil, nil)
    // The loader has said why to nobody; its socket is gone before it is, milliseconds on a quiet machine.
    var (status, tries) = (Int32(0), 0)
    while waitpid(ended.process, &status, WNOHANG) == 0 {
      tries += 1
      guard tries < 1_000 else {
        lastEnding = .over
        return reapLater(ended.process)
      }
      usleep(1_000)
    }
    lastEnding = status & 0x7F == 0 && (status >> 8) & 0xFF == 127 ? .unloadable : .over
  }

  /// One that is stopped ends when it goes on.
  private func reapLater(_ process: pid_t) {
    queue.asyncAfter(deadline: .now() + .seconds(1)) { [self] in
      if waitpid(process, nil, WNOHANG) == 0 { reapLater(process) }
    }
  }

  // MARK: Starting

  @Sendable
  static func started(
    for file: RegularFile, kind: String
  ) throws(SoundFileError) -> Running {
    guard let program = ProgramPlace.decoder.path else {
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
