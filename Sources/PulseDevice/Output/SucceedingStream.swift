// SPDX-License-Identifier: Apache-2.0

import PulseAudio
import Rendering

/// A stream that is to take over, once all has been heard that only the present one has, and that one has told
/// where it stopped.
struct SucceedingStream {
  let stream: PlaybackStream
  /// Reason for which the sound goes there.
  let reason: RouteChange.Reason
  /// Host time from which on nothing more is waited for to be heard.
  let waitsUntil: UInt64
}
