// SPDX-License-Identifier: Apache-2.0

import Attacca
import Synchronization

/// Errors as this program tells them.
enum ErrorText {
  /// True where the functions that failed and their codes are told: `--verbose`.
  static let isVerbose = Atomic<Bool>(false)

  /// The error, or failure, and the command that helps, where one does.
  static func of(_ error: Any) -> String {
    let verbose = error as? any CustomDebugStringConvertible
    let tellsCalls = isVerbose.load(ordering: .relaxed)
    let text = tellsCalls ? verbose?.debugDescription ?? "\(error)" : "\(error)"
    guard let error = error as? PulseError, error.isNotThere else { return text }
    return "\(text); `attacca devices` lists what there is"
  }
}
