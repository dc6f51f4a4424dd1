// SPDX-License-Identifier: Apache-2.0

import Attacca
import Dispatch
@testable import Rendering
import Testing

/// Two devices on one clock, pulled at their own paces.
@Suite struct SeveralRenderersTests {
  private static let rate = 48_000

  /// A device of one channel that is fed a ramp, and what was heard of it.
  private final class Device {
    let renderer = OfflineRenderer(
      format: AudioFormat(sampleRate: SeveralRenderersTests.rate, layout: .mono))
    private var enqueued = 0
    var heard: [Float] = []
    /// Frames pulled, silence included.
    var pulled = 0

    func enqueue(seconds: Int) {
      for _ in 0..<seconds {
        renderer.enqueue(
          buffer(
            (0..<rate).map { SeveralRenderersTests.triangle(enqueued + $0) },
            atFrame: Int64(enqueued)))
        enqueued += rate
      }
    }

    /// The frame that is pulled when the start is heard; before 0 where there was none.
    var startFrame: Int { renderer.output.withLock { Int(renderer.starts.placed.number) } }

    /// Pulls `frames` frames more, as a device would, and enqueues what is to come.
    func pull(_ frames: Int) {
      while renderer.isReadyForMoreMediaData { enqueue(seconds: 1) }
      var samples = [Float](repeating: 0, count: frames)
      let count = samples.withUnsafeMutableBufferPointer {
        renderer.render(frames: frames, into: $0.baseAddress!)
      }
      pulled += count
      heard += samples.prefix(count)
    }
  }

  /// Up and down: numbers are exact to 1/512 frame.
  private static let period = 16_384

  private static func triangle(_ frame: Int) -> Float {
    let place = frame % (2 * period)
    return Float(place < period ? place : 2 * period - place)
  }

  /// Has both play, and pulls the silence before.
  private func start(_ devices: [Device], _ synchronizer: RenderSynchronizer) {
    for device in devices { device.enqueue(seconds: 1) }
    synchronizer.rate = 1
    renderersQueue.sync {}
    for device in devices { device.pull(device.startFrame) }
  }

  @Test func `both start at one host time, when both have enough`() {
    let synchronizer = RenderSynchronizer()
    synchronizer.fade = .none
    let devices = [Device(), Device()]
    for device in devices { synchronizer.addRenderer(device.renderer) }
    devices[0].enqueue(seconds: 1)
    synchronizer.rate = 1
    // The other has nothing: nothing is scheduled.
    renderersQueue.sync {}
    #expect(devices[0].renderer.output.withLock { devices[0].renderer.starts.scheduled == nil })
    devices[1].enqueue(seconds: 1)
    renderersQueue.sync {}
    let times = devices.map { $0.renderer.hostTime(ofStreamFrame: Int64($0.startFrame)) }
    #expect(devices.allSatisfy { $0.startFrame > 0 })
    #expect(times.max()! - times.min()! < 1_000_000_000 / UInt64(Self.rate) + 1)
  }

  @Test func `the one that has nothing is not waited for for ever`() {
    let synchronizer = RenderSynchronizer()
    let devices = [Device(), Device()]
    for device in devices { synchronizer.addRenderer(device.renderer) }
    devices[0].enqueue(seconds: 1)
    synchronizer.rate = 1
    renderersQueue.sync { synchronizer.startIfReady(overdue: synchronizer.starts.last - 1) }
    #expect(devices[0].startFrame < 0)
    renderersQueue.sync { synchronizer.startIfReady(overdue: synchronizer.starts.last) }
    #expect(devices[0].startFrame > 0)
  }

  @Test func `those that are added while time runs join it together`() {
    let synchronizer = RenderSynchronizer()
    synchronizer.fade = .none
    let devices = [Device(), Device(), Device()]
    synchronizer.addRenderer(devices[0].renderer)
    devices[0].enqueue(seconds: 2)
    synchronizer.rate = 1
    devices[0].pull(24_000)
    for device in devices[1...] { synchronizer.addRenderer(device.renderer) }
    for device in devices[1...] { device.enqueue(seconds: 2) }
    renderersQueue.sync {}
    #expect(devices[1...].allSatisfy { $0.startFrame > 0 })
    // Where the first one is half a second later.
    for device in devices[1...] {
      device.pull(device.startFrame + 100)
      #expect(device.heard.suffix(100) == (48_000..<48_100).map(Self.triangle)[...])
    }
  }

  @Test func `a pause takes a start that waits back`() {
    let synchronizer = RenderSynchronizer()
    let devices = [Device(), Device()]
    for device in devices { synchronizer.addRenderer(device.renderer) }
    devices[0].enqueue(seconds: 1)
    synchronizer.rate = 1
    synchronizer.rate = 0
    devices[1].enqueue(seconds: 1)
    renderersQueue.sync {}
    for device in devices {
      #expect(device.renderer.output.withLock { device.renderer.starts.scheduled == nil })
    }
  }

  @Test func `where a start is not to wait, the first frames start it`() {
    let line = PulledLine()
    line.synchronizer.delaysRateChangeUntilHasSufficientMediaData = false
    line.renderer.enqueue(buffer(ramp(0, 100), atFrame: 0))
    line.synchronizer.rate = 1
    #expect(line.pull(200) == ramp(0, 100))
  }

  @Test(arguments: [200.0, -80])
  func `what plays on a device of another clock stays where the first is, without a step`(
    ppm: Double
  ) {
    let synchronizer = RenderSynchronizer()
    synchronizer.fade = .none
    let devices = [Device(), Device()]
    for device in devices { synchronizer.addRenderer(device.renderer) }
    start(devices, synchronizer)
    synchronizer.stopFollowing()
    var carry = 0.0
    var offs: [Double] = []
    for turn in 0..<700 {
      devices[0].pull(4_800)
      let own = 4_800 * (1 + ppm / 1e6) + carry
      carry = own - own.rounded(.down)
      devices[1].pull(Int(own))
      // Every five seconds, when both have come equally far: here one is pulled after the other.
      if turn % 50 == 0 {
        synchronizer.steer()
        let renderer = devices[1].renderer
        while renderer.isBeingMadeAnew { renderer.conversions.queue.sync {} }
      }
      let readings = devices.map { $0.renderer.reading(atHostTime: HostTime.now()).ticks }
      offs.append(Double(readings[0] - readings[1]) / Double(MediaTicks.perSecond))
    }
    let begun = offs.first ?? 0
    let settled = offs.suffix(500).map { abs($0) }.max() ?? 1
    #expect(settled < 0.001, "off by \(settled) s, \(begun) at first")
    // A frame is never left out or repeated: it goes up and down, a little steeper or flatter; where it
    // turns, a filter rounds it.
    let heard = devices[1].heard
    let first = (heard.firstIndex { $0 > 0 } ?? 0) + 2_000
    let wrong = (first..<heard.count - 1).first { i in
      let step = abs(heard[i + 1] - heard[i])
      let isTurn = heard[i] < 200 || heard[i] > Float(Self.period - 200)
      return step > (isTurn ? 1.4 : 1.05) || (step < 0.95 && !isTurn)
    }
    #expect(wrong == nil, "a step at \(wrong ?? 0)")
    // Nor is the pitch another by two cents from one moment to the next.
    let steepness = stride(from: first, to: heard.count - 480, by: 480).map { i -> Float? in
      let isTurn = (0..<4).contains { k in
        let level = heard[i + k * 160 - (k == 3 ? 1 : 0)]
        return level < 800 || level > Float(Self.period - 800)
      }
      return isTurn ? nil : abs(heard[i + 479] - heard[i]) / 479
    }
    let bent = zip(steepness, steepness.dropFirst()).compactMap { a, b in
      a.flatMap { a in b.map { abs($0 - a) } }
    }
    #expect(bent.max()! < 1e-3, "the pitch bent by \(bent.max()! * 1e6) millionths")
  }

  @Test func `a renderer is let go of at a media time, after its last frame before it`() {
    let synchronizer = RenderSynchronizer()
    synchronizer.fade = .none
    let device = Device()
    synchronizer.addRenderer(device.renderer)
    device.enqueue(seconds: 3)
    synchronizer.rate = 1
    let gone = DispatchSemaphore(value: 0)
    synchronizer.removeRenderer(device.renderer, at: MediaTime(value: 2, timescale: 1)) {
      #expect(!$0)
    }
    synchronizer.removeRenderer(device.renderer, at: MediaTime(value: 1, timescale: 1)) {
      #expect($0)
      gone.signal()
    }
    var samples = [Float](repeating: 0, count: 96_000)
    var done = 0
    while done < 48_000 {
      let count = samples.withUnsafeMutableBufferPointer {
        device.renderer.render(frames: 4_800, into: $0.baseAddress! + done)
      }
      done += count
      if count == 0 { break }
    }
    #expect(done == 48_000)
    gone.wait()
    #expect(synchronizer.renderers.isEmpty)
  }
}

extension AudioRenderer {
  /// Whether what is enqueued is being converted for another pace.
  fileprivate var isBeingMadeAnew: Bool {
    output.withLock { isPaceStale || intake.unheardBuffers.isConverting }
  }
}
