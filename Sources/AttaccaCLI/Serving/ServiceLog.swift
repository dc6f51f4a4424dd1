// SPDX-License-Identifier: Apache-2.0

import AttaccaService
import Glibc

/// Log of the service: lines on the standard error, with their weights in front where the journal reads them.
struct ServiceLog: Sendable {
  /// True where the journal reads the standard error (systemd.exec(5), `JOURNAL_STREAM`).
  private let isJournal: Bool

  init() {
    var status = stat()
    guard let stream = getenv("JOURNAL_STREAM"), fstat(STDERR_FILENO, &status) == 0 else {
      isJournal = false
      return
    }
    isJournal = String(cString: stream) == "\(status.st_dev):\(status.st_ino)"
  }

  func write(_ notice: DaemonNotice) {
    let prefix = isJournal ? "<\(notice.level.rawValue)>" : "attacca: "
    TextOutput.errors.write(prefix + notice.text.onOneLine + "\n")
  }
}
