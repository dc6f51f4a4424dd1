// SPDX-License-Identifier: Apache-2.0

import CLibAV
import DecodeMessages
import Glibc

extension DecodeFailure {
  static func noMemory(_ call: String) -> DecodeFailure {
    DecodeFailure(.broken, call: call, code: ENOMEM, cause: "no memory")
  }

  /// Creates the failure that a call of libav has answered, in libav's words.
  init(_ kind: Kind, call: String, _ code: Int32) {
    var text = [CChar](repeating: 0, count: 128)
    av_strerror(code, &text, text.count)
    let words = text.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    self.init(kind, call: call, code: code, cause: words)
  }
}

/// The system's words for an `errno`.
func systemText(_ code: Int32) -> String { String(cString: strerror(code)) }
