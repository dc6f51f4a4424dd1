// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
@testable import Rendering
import Testing

/// Where it goes on behind an underrun.
@Suite struct UnderrunTests {
  /// A server that had stood still answers from where it stood, and is expected beyond what it has before it
  /// can be given more: what went on where it was took the place of frames that it had still to read.
  @Test func `what follows an underrun begins behind all that the output was given`() {
    let (output, renderer, synchronizer) = steppedLine(reach: 480)
    renderer.enqueue(buffer((0..<144_000).map(Float.init), atFrame: 0))
    synchronizer.rate = 1
    output.step(to: 10_000)
    let (written, media) = output.withLock {
      (renderer.line.written, renderer.line.map.media(at: renderer.line.written))
    }
    #expect(written > 40_000)
    output.runDry(expectedAt: written + 5_000)
    #expect(renderer.underrunCount == 1)
    let last = output.withLock { renderer.line.map.last }
    #expect(last.isRunning)
    #expect(last.stream == written)
    #expect(last.media == media)
  }

  /// A volume that was set before the device had read what it had took the place of that.
  @Test func `a change behind an underrun leaves alone what the output was given before`() {
    let (output, renderer, synchronizer) = steppedLine(reach: 480)
    renderer.enqueue(buffer((0..<144_000).map(Float.init), atFrame: 0))
    synchronizer.rate = 1
    output.step(to: 10_000)
    let written = output.withLock { renderer.line.written }
    output.runDry(expectedAt: written + 5_000)
    renderer.volume = 0.5
    let gains = output.withLock {
      [written - 1, written + 480].map { renderer.line.gains.volume.gain(at: $0) }
    }
    #expect(gains == [1, 0.5])
  }

  /// Up to 1,306 frames in front of a pause were given to nobody, where answers took 10 ms (chaos, SEED=800313).
  @Test(arguments: [true, false], [Fade.none, .standard])
  func `what lies in front of a pause or a flush that is placed behind all that was given is heard`(
    isPause: Bool, fade: Fade
  ) {
    let (output, renderer, synchronizer) = steppedLine(reach: 480, fade: fade)
    output.record()
    renderer.enqueue(buffer(ramp(1, 144_000), atFrame: 0))
    synchronizer.rate = 1
    output.step(to: 10_000)
    let written = output.withLock { renderer.line.written }
    output.isFar = true
    if isPause { synchronizer.rate = 0 } else { renderer.flush() }
    output.isFar = false
    // PulseAudio went on behind the fade with what it had had there, before the silence came.
    #expect(output.lastWrite.lowerBound == written && output.lastWrite.count > 12_000)
    output.step(to: written + 24_000)
    let heard = Array(output.heard.drop { $0 == 0 })
    let count = Int(written.number) - 480
    #expect(Array(heard.prefix(count)) == ramp(1, count))
    let time = isPause ? MediaTime(value: Int64(count), timescale: 48_000) : .zero
    #expect(!isPause || synchronizer.currentTime() == time)
  }

  /// It looked once in a period only, and time went on over nothing until then.
  @Test
  func `without a device time holds where there is no more content, however long the period is`() {
    let renderer = NullRenderer(
      format: AudioFormat(sampleRate: 48_000, layout: .mono),
      latency: Latency(targetMilliseconds: 10_000, requestMilliseconds: 4_900))
    let synchronizer = RenderSynchronizer()
    synchronizer.addRenderer(renderer)
    renderer.enqueue(buffer(ramp(0, 24_000), atFrame: 0))
    synchronizer.rate = 1
    var latest = MediaTime.zero
    wait {
      latest = max(latest, synchronizer.currentTime())
      return renderer.underrunCount == 1
    }
    // Half a second, and not the period of 4.9.
    #expect(latest < MediaTime(value: 4, timescale: 1))
  }

  /// A machine that was too busy to cork the stream before 0.5 s of silence were over: an end counted as an
  /// underrun, and going on behind it was never over.
  @Test func `silence that is missing behind the end is no underrun, and the end is told`() {
    let (output, renderer, synchronizer) = steppedLine(reach: 240)
    renderer.enqueue(buffer([Float](repeating: 1, count: 1_000), atFrame: 0))
    renderer.finishEnqueuing()
    synchronizer.rate = 1
    output.step(to: 240 + 500)
    output.withLock { renderer.outputMissed(from: 240 + 1_100) }
    #expect(renderer.underrunCount == 0)
    output.withLock { renderer.outputRestarted(at: 240 + 1_100) }
    #expect(output.stopsAfter == 1_240)
    output.step(to: 240 + 3_000)
    let transport = output.withLock { renderer.line.transport }
    #expect(transport == .idle(media: 1_000))
    // What is missing before it is one.
    renderer.enqueue(buffer([Float](repeating: 1, count: 1_000), atFrame: 1_000))
    renderer.finishEnqueuing()
    synchronizer.rate = 0
    synchronizer.rate = 1
    output.withLock { renderer.outputMissed(from: renderer.line.ring.end - 1) }
    #expect(renderer.underrunCount == 1)
  }

  // A server that was stopped for longer than what it holds is found to have gone on without frames, and is
  // given them again from there on, before the place at which a first answer had them resumed; and runs dry
  // once more before that. Whoever watches for the item's end took it for heard as soon as the next one was
  // enqueued, 2 s early.
  @Test func `a second underrun before what was resumed begins no other stretch of media time`() {
    let (output, renderer, synchronizer) = steppedLine(reach: 480)
    renderer.enqueue(buffer((0..<144_000).map(Float.init), atFrame: 0))
    synchronizer.rate = 1
    output.step(to: 10_000)
    let (written, before) = output.withLock { (renderer.line.written, renderer.line.map.last) }
    let media = before.media(at: written)
    output.overrun(to: written + 100_000)
    output.runDry(expectedAt: written + 100_000)
    #expect(output.withLock { renderer.line.map.last.stream } == written + 100_480)

    output.overrun(to: written)
    output.withLock { renderer.outputRestarted(at: written) }
    #expect(output.withLock { renderer.line.written } == written + 48_000)
    output.runDry(expectedAt: written + 48_001)
    let last = output.withLock { renderer.line.map.last }
    #expect(last.isRunning && last.media == media)
    #expect(last.traversal == before.traversal)
    #expect(renderer.underrunCount == 2)
  }

  // A process that was stopped for 90 ms in the midst of a write takes that long for the next one: with 60 ms in the
  // server what went on lay behind all that the server is given, and nothing was written any more.
  @Test func `what goes on further ahead than the output holds is written all the same`() {
    let (output, renderer, synchronizer) = steppedLine(reach: 60_000)
    renderer.enqueue(buffer((0..<288_000).map(Float.init), atFrame: 0))
    synchronizer.rate = 1
    output.step(to: 70_000)
    let written = output.withLock { renderer.line.written }
    output.overrun(to: written + 10_000)
    output.runDry(expectedAt: written + 10_001)
    let (end, last) = output.withLock { (renderer.line.written, renderer.line.map.last) }
    #expect(last.stream == written + 70_000)
    #expect(end == last.stream + 48_000)
  }
}
