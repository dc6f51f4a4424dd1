// SPDX-License-Identifier: Apache-2.0

import MediaTime
import PulseAudio

extension TimingReport {
  /// Frame that the server hands to the sink next.
  var read: StreamFrame { StreamFrame(readFrame) }
}

extension PlaybackStream {
  /// Frame behind the last one written.
  var nextWrite: StreamFrame { StreamFrame(nextWriteFrame) }
}

extension ClockLine {
  /// Frame that is heard at `hostTime`, in nanoseconds of `HostTime`.
  func heard(atHostTime hostTime: UInt64) -> StreamFrame {
    StreamFrame(heardFrame(atHostTime: hostTime))
  }

  /// Nanoseconds of `HostTime` at which `frame` is heard; nil while the clock stands still.
  func hostTime(of frame: StreamFrame) -> UInt64? { hostTime(ofFrame: frame.number) }
}
