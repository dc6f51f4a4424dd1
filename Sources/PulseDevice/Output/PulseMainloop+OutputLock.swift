// SPDX-License-Identifier: Apache-2.0

import PulseAudio
import Rendering

extension PulseMainloop: OutputLock {
  package var isHeld: Bool { isLockHeld }
}
