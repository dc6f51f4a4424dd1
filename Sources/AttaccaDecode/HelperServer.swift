// SPDX-License-Identifier: Apache-2.0

import CConfinement
import CDescriptors
import DecodeMessages
import Glibc

/// Waits for files and makes a process for each: libav is loaded once, and what breaks or hangs is one file.
struct HelperServer {
  let control: Int32
  /// Milliseconds without a file after which the helper ends; the next file starts it anew.
  private static let timeout: Int32 = 30_000

  /// Returns once nobody can ask any more, or nothing has been asked for long.
  func run() {
    // Nobody waits for the processes.
    signal(SIGCHLD, SIG_IGN)
    while isAsked() {
      var descriptors = [Int32](repeating: -1, count: 4)
      var message = [UInt8](repeating: 0, count: ShownFile.longest)
      let size = attacca_receive_descriptors(control, &message, message.count, &descriptors)
      guard size > 0 else { return }
      let passed = descriptors.filter { $0 >= 0 }
      if size >= 4, !passed.isEmpty {
        let version = message[..<4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        serve(passed, version: version, ShownFile(Array(message[4..<Int(size)])))
      }
      for descriptor in descriptors where descriptor >= 0 { close(descriptor) }
    }
  }

  private func isAsked() -> Bool {
    var polled = pollfd(fd: control, events: Int16(POLLIN), revents: 0)
    while true {
      let count = poll(&polled, 1, Self.timeout)
      if count < 0, errno == EINTR { continue }
      return count > 0
    }
  }

  /// `descriptors` are the file, where that is passed, and the socket.
  private func serve(_ descriptors: [Int32], version: UInt32, _ shown: ShownFile?) {
    guard attacca_fork() == 0 else { return }
    let first = DecodeProtocol.controlDescriptor
    attacca_keep_descriptors(descriptors, Int32(descriptors.count), first)
    let socket = ConversationSocket(first + Int32(descriptors.count) - 1)
    let isAsked = shown?.supply != .descriptor
    let service = FileConversation(
      file: OpenFile(
        bytes: isAsked ? .asked(socket) : .descriptor(first),
        shown: shown ?? ShownFile(window: 0..<0)),
      socket: socket)
    Work.confine()
    let isWhole = descriptors.count == (isAsked ? 1 : 2)
    if version == DecodeProtocol.version, shown != nil, isWhole {
      service.run()
    } else {
      service.refuse(version)
    }
    _exit(0)
  }
}
