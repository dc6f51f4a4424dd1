// SPDX-License-Identifier: Apache-2.0

import CLibAV
import DecodeMessages
import Glibc

@main enum EntryPoint {
  static func main() {
    var status = stat()
    let control = DecodeProtocol.controlDescriptor
    guard CommandLine.arguments == [CommandLine.arguments[0], "--serve"],
      fstat(control, &status) == 0,
      status.st_mode & S_IFMT == S_IFSOCK
    else {
      print(
        """
        attacca-decode decodes AAC, ALAC and what else libavcodec knows for programs that play by Attacca, \
        which start it themselves. It does nothing by itself: attacca play FILE.
        """)
      exit(64)
    }
    // What the caller reads from and writes to is the caller's.
    let nowhere = open("/dev/null", O_RDWR)
    for descriptor in 0..<control { dup2(nowhere, descriptor) }
    close(nowhere)
    // Terminal keys are for who has started it; it ends when that does.
    signal(SIGINT, SIG_IGN)
    av_log_set_level(AV_LOG_QUIET)
    HelperServer(control: control).run()
  }
}
