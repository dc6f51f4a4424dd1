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
      let (file, socket) = (descriptors[0], descriptors[1])
      if size >= 4, file >= 0, socket >= 0 {
        let version = message[..<4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        serve(
          file: file, socket: socket, version: version, ShownFile(Array(message[4..<Int(size)])))
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

  private func serve(file: Int32, socket: Int32, version: UInt32, _ shown: ShownFile?) {
    guard attacca_fork() == 0 else { return }
    attacca_keep_descriptors([file, socket], 2, DecodeProtocol.controlDescriptor)
    let service = FileConversation(
      file: OpenFile(
        descriptor: DecodeProtocol.controlDescriptor, shown: shown ?? ShownFile(window: 0..<0)),
      socket: DecodeProtocol.controlDescriptor + 1)
    Work.confine()
    if version == DecodeProtocol.version, shown != nil {
      service.run()
    } else {
      service.refuse(version)
    }
    _exit(0)
  }
}
