// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Dispatch
@testable import Rendering
import Testing

/// Times that stand for "never", and others that no recording reaches.
@Suite struct DistantTimeTests {
  /// 32,000 years, all that fits, and 292 years, which are as many nanoseconds as fit.
  private static let distant = [
    MediaTime(value: 1_000_000_000_000, timescale: 1), MediaTime(value: .max, timescale: 1),
    MediaTime(value: 9_223_372_036, timescale: 1),
  ]

  /// What drives a synchronizer: the host's clock, a renderer of it, and one that is pulled.
  private enum Driver: CaseIterable {
    case host, null, offline, stepped

    func renderer() -> AudioRenderer? {
      switch self {
      case .host: nil
      case .null: NullRenderer()
      case .offline: OfflineRenderer(format: AudioFormat(sampleRate: 48_000, layout: .mono))
      case .stepped: AudioRenderer(output: SteppedOutput(reach: 0), quality: .veryHigh)
      }
    }
  }

  private func synchronizer(_ driver: Driver) -> (RenderSynchronizer, AudioRenderer?) {
    let synchronizer = RenderSynchronizer()
    let renderer = driver.renderer()
    if let renderer {
      synchronizer.addRenderer(renderer)
      renderer.enqueue(buffer([Float](repeating: 0.5, count: 48_000), at: .zero))
    }
    return (synchronizer, renderer)
  }

  @Test(arguments: Driver.allCases, Self.distant)
  private func `an observer of a time that does not come is not called`(
    driver: Driver, time: MediaTime
  ) {
    let (synchronizer, _) = synchronizer(driver)
    let queue = DispatchQueue(label: "observers")
    let boundary = synchronizer.addBoundaryTimeObserver(
      forTimes: [time, .zero - time], queue: queue
    ) { Issue.record("\(time) was crossed") }
    let periodic = synchronizer.addPeriodicTimeObserver(forInterval: time, queue: queue) { _ in }
    let timer = synchronizer.timebase.addTimer(at: time, queue: queue) {
      Issue.record("\(time) was reached")
    }
    synchronizer.rate = 1
    synchronizer.rate = 1 / 32
    synchronizer.rate = 32
    // Until all of it has been seen to.
    synchronizer.observers.queue.sync {}
    synchronizer.rate = 0
    synchronizer.observers.queue.sync {}
    queue.sync {}
    withExtendedLifetime((boundary, periodic, timer)) {}
  }

  @Test(arguments: Driver.allCases, Self.distant)
  private func `a distant time is held as it was set, and time runs from there`(
    driver: Driver, time: MediaTime
  ) {
    let (synchronizer, _) = synchronizer(driver)
    synchronizer.setRate(0, time: time)
    #expect(synchronizer.currentTime() == time)
    synchronizer.setRate(1, time: time)
    #expect(synchronizer.currentTime() > .zero)
    synchronizer.observers.queue.sync {}
    synchronizer.setRate(1, time: time, atHostTime: HostClock.time)
    synchronizer.setRate(2, time: time, atHostTime: time)
    synchronizer.setRate(2, time: .zero, atHostTime: time)
    synchronizer.observers.queue.sync {}
    synchronizer.setRate(0, time: .zero)
    #expect(synchronizer.currentTime() == .zero)
  }

  @Test(arguments: Driver.allCases, Self.distant)
  private func `a renderer that is to go at a distant time stays until it is let go of`(
    driver: Driver, time: MediaTime
  ) throws {
    let (synchronizer, renderer) = synchronizer(driver)
    guard let renderer else { return }
    let ended = DispatchSemaphore(value: 0)
    synchronizer.removeRenderer(renderer, at: time) { wasHere in
      #expect(wasHere)
      ended.signal()
    }
    synchronizer.rate = 1
    synchronizer.observers.queue.sync {}
    #expect(synchronizer.renderers.count == 1)
    synchronizer.removeRenderer(renderer)
    ended.wait()
  }

  @Test(arguments: [Int64.max, .min])
  func `a seek by all that fits goes to the edge of the item`(seconds: Int64) {
    let playback = SerializedPlayback()
    playback.settling {
      playback.serializer.restartQueue(
        with: PlaylistItems([
          PlaylistItem(path: "ramp 1 5000 unknown"), SerializedPlayback.item(2, frames: 3_000),
        ]))
      playback.serializer.resumeQueue()
    }
    playback.settling {
      playback.serializer.shared.edit { state, hearing in
        state.seek(by: RationalTime(frames: seconds, rate: 1), hearing: hearing)
        return []
      }
    }
    let first = seconds > 0 ? [] : SerializedPlayback.ramp(1, 0..<5_000)
    #expect(playback.pullToEnd() == first + SerializedPlayback.ramp(2, 0..<3_000))
  }

  @Test(arguments: [
    RationalTime(frames: .max, rate: 1), RationalTime(frames: .min, rate: 1),
    RationalTime(frames: 1 << 40, rate: 1), RationalTime(frames: .max, rate: 44_100),
  ])
  func `a buffer for a distant time keeps nothing else from being heard`(time: RationalTime) {
    for rate in [1, 1 / 32.0, 2] {
      let line = PulledLine()
      line.renderer.audioTimePitchAlgorithm = .varispeed
      line.renderer.enqueue(buffer(ramp(1, 48_000), atFrame: 0))
      for sourceRate in [8_000, 44_100, 48_000] {
        line.renderer.enqueue(buffer(ramp(1, 100), rate: sourceRate, at: time))
      }
      line.synchronizer.rate = rate
      wait { !line.renderer.isStale }
      #expect(line.pull(50).count == 50)
      line.synchronizer.setRate(1, time: .zero)
      #expect(line.renderer.status == .rendering)
    }
  }
}
