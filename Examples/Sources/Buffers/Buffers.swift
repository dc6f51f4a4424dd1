// SPDX-License-Identifier: Apache-2.0

import Attacca
import Dispatch

/// Enqueues buffers of one's own, without a player: two seconds of a chord, heard by the synchronizer's clock.
///
///     swift run Buffers [--silent]
@main struct Buffers {
  static func main() async throws {
    let renderer: AudioRenderer =
      CommandLine.arguments.contains("--silent") ? NullRenderer() : try PulseAudioRenderer()
    let synchronizer = RenderSynchronizer()
    synchronizer.addRenderer(renderer)

    let format = AudioFormat(sampleRate: 48_000, layout: .stereo)
    let queue = DispatchQueue(label: "chord")
    // Touched on that queue only.
    nonisolated(unsafe) var frame: Int64 = 0
    let end: Int64 = 96_000
    renderer.requestMediaDataWhenReady(on: queue) {
      while renderer.isReadyForMoreMediaData, frame < end {
        let samples = (frame..<(frame + 4_800)).flatMap { frame in
          let sample = Float((frame % 109) + (frame % 145) + (frame % 163)) / 4_096
          return [sample, sample]
        }
        let time = MediaTime(value: frame, timescale: 48_000)
        renderer.enqueue(SampleBuffer(samples: samples, format: format, at: time))
        frame += 4_800
      }
      if frame == end {
        renderer.stopRequestingMediaData()
        renderer.finishEnqueuing()
      }
    }
    let events = renderer.rendererEvents
    // Kept for as long as it is wanted.
    let observation = synchronizer.addPeriodicTimeObserver(
      forInterval: MediaTime(value: 1, timescale: 2), queue: queue
    ) { time in print("\(time.seconds) s") }
    synchronizer.rate = 1
    for await event in events {
      if case .drained = event { break }
      if case .failed(let error) = event { throw error }
    }
    observation.cancel()
  }
}
