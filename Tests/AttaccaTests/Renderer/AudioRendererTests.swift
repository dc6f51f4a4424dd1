// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
@testable import Rendering
import Synchronization
import TestFixtures
import Testing

@Suite struct AudioRendererTests {
  @Test func `buffers whose times were rounded to microseconds are heard without a seam`() {
    let line = PulledLine()
    let length = 1_031
    for i in 0..<40 {
      // Half a frame is 10 µs: a time that near is taken for the end before it.
      let exact = Double(i * length) / 48
      let frame = Int64((exact * 1_000).rounded())
      line.renderer.enqueue(
        buffer(ramp(1 + i * length, length), at: RationalTime(frames: frame, rate: 1_000_000)))
    }
    line.synchronizer.rate = 1
    #expect(firstDifference(line.pull(100_000), ramp(1, 40 * length)) == nil)
  }

  @Test func `a gap between buffers is silence of exactly its length`() {
    let line = PulledLine()
    line.renderer.enqueue(buffer(ramp(1, 20_000), atFrame: 0))
    line.renderer.enqueue(buffer(ramp(1, 10), atFrame: 20_005))
    line.synchronizer.rate = 1
    #expect(line.pull(30_000) == ramp(1, 20_000) + [0, 0, 0, 0, 0] + ramp(1, 10))
  }

  @Test func `a jump back to what has been let go is silence up to what is left, at its time`() {
    let output = SteppedOutput(reach: 0)
    let renderer = AudioRenderer(output: output, quality: .veryHigh)
    let synchronizer = RenderSynchronizer()
    synchronizer.fade = .none
    synchronizer.addRenderer(renderer)
    renderer.enqueue(buffer(ramp(1, 60_000), atFrame: 0))
    renderer.finishEnqueuing()
    synchronizer.rate = 1
    output.step(to: 20_000)
    output.withLock { renderer.forgetHeard() }
    output.step(to: 24_000)
    synchronizer.setRate(1, time: MediaTime(value: 16_000, timescale: 48_000))
    var samples = [Float](repeating: -1, count: 10_000)
    output.withLock {
      let first = renderer.line.map.last.stream
      renderer.line.render(from: first, frames: samples.count, into: &samples)
    }
    #expect(samples == [Float](repeating: 0, count: 4_000) + ramp(20_001, 6_000))
  }

  @Test(arguments: [2_000, 4_000, 8_000, 48_000, 192_000])
  func `a buffer of the lowest rate finds room`(_ rate: Int) {
    let renderer = NullRenderer(
      format: AudioFormat(sampleRate: rate, layout: .mono), latency: .low)
    let lowest = min(rate, AudioFormat.lowestSourceRate)
    renderer.enqueue(buffer(ramp(1, lowest / 2), rate: lowest, at: .zero))
    renderer.finishEnqueuing()
    #expect(renderer.output.withLock { renderer.line.contentEnd.number } == Int64(rate / 2))
  }

  @Test func `the status tells whether anything was enqueued`() {
    let line = PulledLine()
    #expect(line.renderer.status == .unknown)
    line.renderer.enqueue(buffer([1], atFrame: 0))
    #expect(line.renderer.status == .rendering && line.renderer.error == nil)
  }

  @Test
  func
    `a renderer is ready below twice what it gives ahead, and again once some of them are heard`()
  {
    let line = PulledLine()
    for second in 0..<line.secondsToFill {
      #expect(line.renderer.isReadyForMoreMediaData)
      line.renderer.enqueue(
        buffer([Float](repeating: 1, count: 48_000), atFrame: Int64(48_000 * second)))
    }
    #expect(!line.renderer.isReadyForMoreMediaData)
    line.synchronizer.rate = 1
    _ = line.pull(1)
    #expect(line.renderer.isReadyForMoreMediaData)
  }

  @Test func `there is enough to start after a quarter second, or at the end`() {
    let line = PulledLine()
    line.renderer.enqueue(buffer([Float](repeating: 1, count: 11_999), atFrame: 0))
    #expect(!line.renderer.hasSufficientMediaDataForReliablePlaybackStart)
    line.synchronizer.rate = 1
    #expect(line.pull(10).isEmpty)
    line.renderer.enqueue(buffer([1], atFrame: 11_999))
    #expect(line.renderer.hasSufficientMediaDataForReliablePlaybackStart)
    #expect(line.pull(10) == [Float](repeating: 1, count: 10))

    let short = PulledLine()
    short.renderer.enqueue(buffer([1, 2], atFrame: 0))
    short.renderer.finishEnqueuing()
    #expect(short.renderer.hasSufficientMediaDataForReliablePlaybackStart)
  }

  @Test func `more than fits is kept, and heard in full`() {
    let line = PulledLine()
    for second in 0..<9 {
      line.renderer.enqueue(
        buffer(ramp(1 + 48_000 * second, 48_000), atFrame: Int64(48_000 * second)))
    }
    line.renderer.finishEnqueuing()
    line.synchronizer.rate = 1
    var heard: [Float] = []
    line.renderer.renderToEnd { heard += $0 }
    #expect(firstDifference(heard, ramp(1, 9 * 48_000)) == nil)
  }

  @Test func `a source of another rate in many buffers is the same as in one`() {
    let samples = ramp(1, 30_000).map { $0 / 30_000 }
    func heard(_ size: Int) -> [Float] {
      let line = PulledLine()
      for start in stride(from: 0, to: samples.count, by: size) {
        let part = Array(samples[start..<min(start + size, samples.count)])
        line.renderer.enqueue(
          buffer(part, rate: 44_100, at: RationalTime(frames: Int64(start), rate: 44_100)))
      }
      line.renderer.finishEnqueuing()
      line.synchronizer.rate = 1
      var all: [Float] = []
      line.renderer.renderToEnd { all += $0 }
      return all
    }
    let whole = heard(samples.count)
    #expect(whole.count == 32_653)
    #expect(heard(4_410) == whole)
    #expect(heard(997) == whole)
  }

  // MARK: Flushing

  @Test func `a flush from a time keeps what comes before it`() async {
    let line = PulledLine()
    line.renderer.enqueue(buffer(ramp(1, 48_000), atFrame: 0))
    line.synchronizer.rate = 1
    #expect(line.pull(1_000) == ramp(1, 1_000))
    #expect(await line.renderer.flush(fromSourceTime: MediaTime(value: 1_500, timescale: 48_000)))
    line.renderer.enqueue(buffer(ramp(70_000, 10), atFrame: 1_500))
    #expect(line.pull(2_000) == ramp(1_001, 500) + ramp(70_000, 10))
  }

  @Test func `a flush from a time that has been heard changes nothing`() async {
    let line = PulledLine()
    line.renderer.enqueue(buffer(ramp(1, 48_000), atFrame: 0))
    line.synchronizer.rate = 1
    _ = line.pull(1_000)
    #expect(!(await line.renderer.flush(fromSourceTime: MediaTime(value: 999, timescale: 48_000))))
    #expect(!(await line.renderer.flush(fromSourceTime: .indefinite)))
    #expect(firstDifference(line.pull(50_000), ramp(1_001, 47_000)) == nil)
  }

  @Test func `a flush holds the time until there is more`() {
    let line = PulledLine()
    line.renderer.enqueue(buffer(ramp(1, 48_000), atFrame: 0))
    line.synchronizer.rate = 1
    _ = line.pull(1_000)
    line.renderer.flush()
    _ = line.pull(1_000)
    #expect(line.synchronizer.currentTime() == MediaTime(value: 1_000, timescale: 48_000))
    line.renderer.enqueue(buffer(ramp(60_000, 20_000), atFrame: 1_000))
    #expect(line.pull(30_000).suffix(20_000) == ramp(60_000, 20_000)[...])
    #expect(line.synchronizer.currentTime() == MediaTime(value: 21_000, timescale: 48_000))
  }

  // MARK: Volume

  @Test func `volume and mute change within five milliseconds, without a step`() {
    let line = PulledLine()
    line.renderer.enqueue(buffer([Float](repeating: 1, count: 48_000), atFrame: 0))
    line.synchronizer.rate = 1
    var heard = line.pull(1_000)
    line.renderer.volume = 0.25
    heard += line.pull(1_000)
    #expect(heard[1_240...] == ArraySlice(repeating: 0.25, count: 760))
    line.renderer.isMuted = true
    heard += line.pull(1_000)
    #expect(heard[2_240...] == ArraySlice(repeating: 0, count: 760))
    line.renderer.isMuted = false
    line.renderer.volume = 1
    heard += line.pull(1_000)
    #expect(heard[3_240...] == ArraySlice(repeating: 1, count: 760))
    let steps = zip(heard, heard.dropFirst()).map { abs($0 - $1) }
    #expect(steps.max()! <= 1.001 / 240)
  }

  @Test func `a volume set while paused is there from the first frame`() {
    let line = PulledLine()
    line.renderer.enqueue(buffer([Float](repeating: 1, count: 48_000), atFrame: 0))
    line.renderer.volume = 0.5
    line.synchronizer.rate = 1
    #expect(line.pull(10) == [Float](repeating: 0.5, count: 10))
  }

  // MARK: The end

  @Test func `the last frame of finished media drains, and enqueuing takes it back`() async {
    let line = PulledLine()
    var events = line.renderer.rendererEvents.makeAsyncIterator()
    line.renderer.enqueue(buffer(ramp(1, 20_000), atFrame: 0))
    line.renderer.finishEnqueuing()
    line.renderer.enqueue(buffer(ramp(20_001, 10), atFrame: 20_000))
    line.renderer.finishEnqueuing()
    line.synchronizer.rate = 1
    #expect(line.pull(30_000) == ramp(1, 20_010))
    guard case .drained = await events.next() else {
      Issue.record("something else than the end was told")
      return
    }
    #expect(line.synchronizer.currentTime() == MediaTime(value: 20_010, timescale: 48_000))
  }

  /// On a sink that takes 100 ms ahead a pause comes too late for the last 100 ms.
  @Test(arguments: [true, false])
  func `a pause behind the last frame that can be held back leaves the end to be told`(
    isHeard: Bool
  ) async {
    let output = SteppedOutput(reach: 4_800)
    let renderer = AudioRenderer(output: output, quality: .veryHigh)
    let synchronizer = RenderSynchronizer()
    synchronizer.fade = .none
    synchronizer.addRenderer(renderer)
    var events = renderer.rendererEvents.makeAsyncIterator()
    renderer.enqueue(buffer(ramp(1, 20_000), atFrame: 0))
    renderer.finishEnqueuing()
    synchronizer.rate = 1
    output.step(to: 4_800 + 19_000)
    synchronizer.rate = 0
    // Whether the pause is heard or taken back at once.
    if isHeard { output.step(to: 40_000) }
    #expect(isHeard == (synchronizer.currentTime() == MediaTime(value: 20_000, timescale: 48_000)))
    synchronizer.rate = 1
    output.step(to: 60_000)
    // Ends the test where nothing is told.
    output.withLock { renderer.send(.lateSplice(frames: 1)) }
    guard case .drained = await events.next() else {
      Issue.record("the end was not told")
      return
    }
    #expect(synchronizer.currentTime() == MediaTime(value: 20_000, timescale: 48_000))
  }

  @Test func `media time holds at the end, though the device stops later`() {
    let (output, renderer, synchronizer) = steppedLine(reach: 240, fade: .standard)
    renderer.enqueue(buffer(ramp(1, 1_000), atFrame: 0))
    renderer.finishEnqueuing()
    synchronizer.rate = 1
    let end = MediaTime(value: 1_000, timescale: 48_000)
    output.overrun(to: 240 + 999)
    #expect(synchronizer.currentTime() == MediaTime(value: 999, timescale: 48_000))
    #expect(synchronizer.timebase.rate == 1)
    output.overrun(to: 240 + 3_000)
    #expect(synchronizer.currentTime() == end)
    #expect(synchronizer.timebase.rate == 0)
    output.step(to: 240 + 3_000)
    #expect(synchronizer.currentTime() == end)
    // What follows after all goes on there, once it is started.
    renderer.enqueue(buffer(ramp(1_001, 1_000), atFrame: 1_000))
    renderer.finishEnqueuing()
    #expect(synchronizer.currentTime() == end)
    synchronizer.rate = 0
    synchronizer.rate = 1
    output.overrun(to: 240 + 3_000 + 240 + 500)
    #expect(synchronizer.currentTime() == MediaTime(value: 1_500, timescale: 48_000))
  }

  @Test
  func
    `what comes late is moved to the frame that is taken next, once, and its end with it`()
  {
    let (output, renderer, synchronizer) = steppedLine(reach: 240)
    renderer.enqueue(buffer(ramp(1, 48_000), atFrame: 0))
    synchronizer.rate = 1
    output.step(to: 5_000)
    let staged = renderer.stage(
      [buffer(ramp(70_001, 1_000), atFrame: 0)], from: .zero, isFinished: true, fadesIn: true)
    renderer.replace(from: nil, with: staged, fade: .standard)
    #expect(renderer.publishedMap.read().last.stream == 5_240)
    #expect(output.stopsAfter == 6_240)

    let timelines = Atomic(0)
    let isMoved = output.withLock {
      renderer.callbacks.timelineChanged = { timelines.add(1, ordering: .relaxed) }
      return renderer.outputSpliceWasLate(for: 5_280..<5_340, read: 5_340, isDelayable: true)
    }
    #expect(isMoved)
    #expect(timelines.load(ordering: .relaxed) == 1)
    #expect(renderer.publishedMap.read().last.stream == 5_340)
    #expect(output.stopsAfter == 6_340)
    #expect(renderer.lateSpliceCount == 0)

    let isMovedAgain = output.withLock {
      renderer.outputSpliceWasLate(for: 5_380..<5_440, read: 5_440, isDelayable: true)
    }
    #expect(!isMovedAgain)
    #expect(renderer.publishedMap.read().last.stream == 5_340)
    #expect(output.stopsAfter == 6_340)
    #expect(renderer.lateSpliceCount == 1)

    output.step(to: 5_940)
    #expect(synchronizer.currentTime() == MediaTime(value: 600, timescale: 48_000))
    output.step(to: 7_000)
    #expect(synchronizer.currentTime() == MediaTime(value: 1_000, timescale: 48_000))
  }

  /// A start is placed where the device surely gives back what it has, a jump sooner: until the start its first
  /// frames were silent, 20 ms of a seek on PulseAudio and 58 on PipeWire.
  @Test(arguments: ["seek", "jump of media time"])
  func `what takes the place of a start on its way is heard from its first frame on`(kind: String) {
    let (output, renderer, synchronizer) = steppedLine(reach: 2_400, soonest: 480, fade: .standard)
    renderer.enqueue(buffer(ramp(1, 48_000), atFrame: 0))
    synchronizer.rate = 1
    output.step(to: 10_000)
    synchronizer.rate = 0
    output.step(to: 20_000)
    synchronizer.rate = 1
    if kind == "seek" {
      let staged = renderer.stage(
        [buffer(ramp(70_001, 1_000), atFrame: 0)], from: .zero, isFinished: true, fadesIn: true)
      renderer.replace(from: nil, with: staged, fade: .standard)
    } else {
      output.step(to: 20_100)
      synchronizer.setRate(1, time: MediaTime(value: 30_000, timescale: 48_000))
    }
    let map = renderer.publishedMap.read()
    let first = kind == "seek" ? 22_400 : 22_500
    #expect(map.last.stream == StreamFrame(Int64(first)))
    let heard = output.withLock { renderer.line.rendered(20_000..<22_900) }
    #expect(heard[..<2_400].allSatisfy { $0 == 0 })
    let faded = first - 20_000 + 240
    #expect(
      Array(heard[faded...]) == ramp(kind == "seek" ? 70_241 : 30_241, heard.count - faded))
  }

  // On a busy machine it counted underruns, and frames that were there were passed over.
  @Test func `a null renderer that is woken late takes what is there as in time`() {
    let renderer = NullRenderer(
      format: AudioFormat(sampleRate: 48_000, layout: .mono), latency: .low)
    let synchronizer = RenderSynchronizer()
    synchronizer.addRenderer(renderer)
    renderer.enqueue(buffer([Float](repeating: 1, count: 96_000), atFrame: 0))
    synchronizer.rate = 1
    let output = renderer.output
    let (given, late) = output.withLock {
      let given = renderer.line.written
      while output.reading.read <= given {}
      renderer.topUp()
      return (given, renderer.line.written)
    }
    #expect(given < 96_000 && late > given)
    #expect(renderer.underrunCount == 0)
    #expect(output.withLock { renderer.line.transport } == .running)
    synchronizer.rate = 0
  }

  @Test func `the null renderer counts an underrun and tells it`() async {
    let renderer = NullRenderer(
      format: AudioFormat(sampleRate: 48_000, layout: .mono), latency: .low)
    let synchronizer = RenderSynchronizer()
    synchronizer.addRenderer(renderer)
    var events = renderer.rendererEvents.makeAsyncIterator()
    renderer.enqueue(buffer([Float](repeating: 1, count: 4_800), atFrame: 0))
    synchronizer.rate = 1
    guard case .underrun(let time) = await events.next() else {
      Issue.record("something else than an underrun was told")
      return
    }
    #expect(time == MediaTime(value: 4_800, timescale: 48_000))
    #expect(renderer.underrunCount == 1)
    synchronizer.rate = 0
  }
}
