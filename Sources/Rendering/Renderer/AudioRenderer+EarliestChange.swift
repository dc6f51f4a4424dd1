// SPDX-License-Identifier: Apache-2.0

public import MediaTime
import SampleBuffers

extension AudioRenderer {
  /// Time from now until a change that is asked for now is heard: a pause, another volume or gain, a seek whose
  /// content is prepared.
  ///
  /// The device has taken so much that it does not give back, and the sound server is asked first where it is.
  /// An estimate from the server's last report, on the safe side: 5 to 20 ms at a device that takes blocks of
  /// 5 ms, a cycle on PipeWire, more over Bluetooth. What has to be decoded first takes its time besides.
  ///
  /// Zero while nothing is heard, for frames that are pulled, and for a `NullRenderer`.
  public var earliestChange: MediaTime {
    let frames = output.withLock {
      line.transport == .running ? output.reading.rewriteDistance : 0
    }
    return MediaTime(value: frames, timescale: Int32(output.format.sampleRate))
  }
}
