// SPDX-License-Identifier: Apache-2.0

import Attacca
import Dispatch
@testable import Rendering
import Testing

@Suite struct NullBusTests {
  private static let format = AudioFormat(sampleRate: 48_000, layout: .mono)

  /// A voice of `bus` that plays `frames` frames of a ramp, with its synchronizer.
  private func start(_ bus: NullBus, frames: Int) -> (AudioRenderer, RenderSynchronizer) {
    let (renderer, synchronizer) = (bus.makeRenderer(), RenderSynchronizer())
    synchronizer.addRenderer(renderer)
    renderer.enqueue(buffer(ramp(1, frames), atFrame: 0))
    synchronizer.rate = 1
    return (renderer, synchronizer)
  }

  private func isRunning(_ renderer: AudioRenderer) -> Bool {
    renderer.output.withLock { renderer.line.transport == .running }
  }

  @Test(arguments: [Latency.low, .responsive])
  func `a voice that runs dry does not stop the other, and goes on where it was`(_ latency: Latency)
  {
    let bus = NullBus(format: Self.format, latency: latency)
    let music = start(bus, frames: 60 * 48_000)
    let voice = start(bus, frames: 14_400)
    wait { voice.0.underrunCount == 1 }
    #expect(voice.1.currentTime() == MediaTime(value: 14_400, timescale: 48_000))
    #expect(isRunning(music.0) && music.0.underrunCount == 0)
    wait { bus.withLock { bus.mix.transport(of: 1) == .stopped } }
    #expect(isRunning(music.0))
    let before = music.1.currentTime()
    voice.0.enqueue(buffer(ramp(14_401, 14_400), atFrame: 14_400))
    voice.0.finishEnqueuing()
    wait { voice.1.currentTime() == MediaTime(value: 28_800, timescale: 48_000) }
    #expect(music.1.currentTime() > before)
    #expect(isRunning(music.0) && music.0.underrunCount == 0 && voice.0.underrunCount == 1)
  }

  // Without `await`: beside tests that calculate, its turn came after the minute that music lasts.
  @Test func `a voice that has ended is told so while another goes on`() {
    let bus = NullBus(format: Self.format)
    let music = start(bus, frames: 60 * 48_000)
    let (voice, synchronizer) = (bus.makeRenderer(), RenderSynchronizer())
    let drained = DispatchSemaphore(value: 0)
    let observation = voice.rendererEvents.observe(on: DispatchQueue(label: "events")) {
      if case .drained = $0 { drained.signal() }
    }
    defer { observation.cancel() }
    synchronizer.addRenderer(voice)
    voice.enqueue(buffer(ramp(1, 4_800), atFrame: 0))
    voice.finishEnqueuing()
    synchronizer.rate = 1
    #expect(drained.wait(timeout: .now() + 40) == .success)
    #expect(synchronizer.currentTime() == MediaTime(value: 4_800, timescale: 48_000))
    #expect(isRunning(music.0))
    music.1.rate = 0
    wait { bus.withLock { bus.mix.transport == .stopped } }
  }

  @Test func `a bus ends with its last renderer`() {
    weak var gone: NullBus?
    do {
      let bus = NullBus(format: Self.format)
      gone = bus
      let voice = start(bus, frames: 48_000)
      wait { isRunning(voice.0) }
    }
    wait { gone == nil }
  }
}
