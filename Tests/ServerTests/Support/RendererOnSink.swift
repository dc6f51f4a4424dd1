// SPDX-License-Identifier: Apache-2.0

import Attacca
import PulseAudio
import TestServers

/// A renderer on a sink, and what the monitor hears of it.
struct RendererOnSink {
  let capture: MonitorCapture
  let renderer: PulseAudioRenderer

  /// Records a sink of `TestSound.format` from now on, and opens a stream on it; blocks for both.
  init(_ server: PrivateServer, sink: String) throws {
    capture = try MonitorCapture(
      connection: server.connect(), sink: sink, fragment: .milliseconds(2))
    renderer = try server.withDoor { address throws(PulseError) in
      try PulseAudioRenderer(
        device: sink, server: address, applicationName: "attacca tests", mediaName: sink)
    }
  }

  /// Enqueues so many seconds of frames that name themselves, from media time 0 on.
  func enqueue(seconds: Int) {
    for second in 0..<seconds {
      let samples = TestSound.numbered(1, (48_000 * second)..<(48_000 * (second + 1)))
      let storage = FrameStorage(capacity: samples.count)
      for (i, sample) in samples.enumerated() { storage.samples[i] = sample }
      renderer.enqueue(
        SampleBuffer(
          storage: storage, format: TestSound.format, frameCount: 48_000,
          time: RationalTime(frames: Int64(48_000 * second), rate: 48_000)))
    }
  }

  /// Waits until so many more frames are recorded; 20 s at most.
  func listen(frames: Int) throws {
    _ = try capture.frames(from: capture.frameCount + frames, count: 0)
  }

  /// The host time of the recording's first frame, in nanoseconds.
  ///
  /// A frame can arrive late, but not early. Nothing of the recording may have been taken.
  var beginOfRecording: Double {
    capture.arrivals.map { Double($0.hostTime) - Double($0.frame + $0.count) * 1e9 / 48_000 }.min()!
  }
}
