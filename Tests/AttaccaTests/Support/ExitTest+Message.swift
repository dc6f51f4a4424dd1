// SPDX-License-Identifier: Apache-2.0

import Testing

extension ExitTest.Result? {
  /// The last words of the process, which say what it ended for.
  func says(_ message: String) -> Bool {
    guard let content = self?.standardErrorContent else { return false }
    return String(decoding: content, as: UTF8.self).contains("Fatal error: " + message)
  }
}
