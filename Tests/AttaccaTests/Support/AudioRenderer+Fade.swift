// SPDX-License-Identifier: Apache-2.0

@testable import Rendering
import Testing

import Attacca

extension AudioRenderer {
  /// Waits until a fade has frames to lead over from, as a device has: who pulls as fast as it can may have
  /// pulled all that there is, and a pause or a seek would end within the fade.
  func waitForFade(sourceLocation: SourceLocation = #_sourceLocation) {
    let length = Int64(Fade.standard.frames(at: format.sampleRate))
    wait(sourceLocation: sourceLocation) {
      output.withLock { line.isFinished || lead >= length }
    }
  }
}
