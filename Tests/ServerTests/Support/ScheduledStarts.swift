// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import PulseAudio
@testable import Rendering
import TestServers
import Testing

/// Starts at host times, one after the other while the device runs, and what the monitor hears of them.
///
/// Everything that waits blocks its thread: use it `onOwnThread`.
struct ScheduledStarts {
  /// A start that has been heard.
  private struct Start {
    let hostTime: UInt64
    /// The stream frame that it was put at, and the one that the clock said right after.
    let placed: Int64
    let model: Int64
    /// The frame of the recording with the first frame of sound.
    let heard: Int
  }

  private let place: RendererOnSink
  private let synchronizer = RenderSynchronizer()
  // The clock is asked again right after it has told the frame: beside other tests it may have learned
  // something meanwhile.
  private let seats = Seat(taking: Seat.all)

  init() throws {
    let server = try TestedServer.shared
    let sink = try server.makeSink(format: TestSound.format)
    place = try RendererOnSink(server, sink: sink)
    synchronizer.fade = .none
    synchronizer.addRenderer(place.renderer)
    seats.leave {
      do { try server.removeSink(sink) } catch { print("\(sink) stays: \(error)") }
    }
  }

  /// Has frame `media` heard in 300 ms.
  private func start(atFrame media: Int) throws -> Start {
    let (capture, renderer) = (place.capture, place.renderer)
    let before = renderer.output.withLock { renderer.starts.placed.number }
    let hostTime = HostClock.nanoseconds + 300_000_000
    synchronizer.setRate(
      1, time: MediaTime(value: Int64(media), timescale: 48_000),
      atHostTime: HostClock.mediaTime(ofNanoseconds: hostTime))
    let begin = capture.frameCount
    var placed = before
    for _ in 0..<1_000 where placed == before {
      try place.listen(frames: 96)
      placed = renderer.output.withLock { renderer.starts.placed.number }
    }
    let model = try #require(renderer.clock.streamFrame(atHostTime: hostTime))
    // What was playing before has fallen silent by then. On a busy machine the renderer may have been
    // told late, and a start may come too late, and is then extrapolated: each frame is heard when it
    // would have been.
    let count = capture.frameCount - begin + 12_000 + 4 * Int(TestedServer.cycle * 48)
    let recorded = try capture.frames(from: begin, count: count)
    let heard = try #require(
      (0..<count).lazy.compactMap { frame -> Int? in
        let number = Int((recorded[2 * frame] * Float(Heard.frameLimit)).rounded()) - 1
        return (media..<media + 20_000).contains(number) ? frame - (number - media) : nil
      }.first, "frame \(media) was not heard")
    return Start(hostTime: hostTime, placed: placed, model: model, heard: begin + heard)
  }

  /// Makes `count` starts, prints how they were heard, and expects them where they should be.
  func check(count: Int) throws {
    // Frames from one start to the next: more than are heard of one, also where a busy machine comes to the next one
    // 0.4 s later than it should, and took what was left of the first for the second, 234 ms early.
    let step = min(96_000, (Heard.frameLimit - 48_000) / count)
    place.enqueue(seconds: (count * step + 47_999) / 48_000)
    let starts = try (0..<count).map { try start(atFrame: step * $0) }
    // This sink's time is the host's.
    let zero = place.beginOfRecording
    let errors = starts.map {
      (zero + Double($0.heard) * 1e9 / 48_000 - Double($0.hostTime)) / 1e6
    }
    let constant = Distribution(errors).median
    let offByModel = starts.map { $0.placed - $0.model }
    let most = 2 + TestedServer.clockError
    // What the clock learns between telling the frame and being asked again is as much as it is off.
    let mostFrames = 1 + Int64(TestedServer.clockError * 48)
    let isGood = zip(errors, offByModel).map { abs($0 - constant) <= most && abs($1) <= mostFrames }
    print(
      """
      starts: \(isGood.count { $0 }) of \(count), constant \(constant.short) ms, \
      worst \(errors.map { abs($0 - constant) }.max()!.short) ms (recorder fragment 2 ms), \
      frames off the clock \(offByModel)
      """)
    for (i, isGood) in isGood.enumerated() {
      #expect(
        isGood, "start \(i): \(errors[i] - constant) ms, \(offByModel[i]) frames off the clock")
    }
    // The stream has run all the while: each was heard at the very frame it was put at.
    #expect(Set(starts.map { Int64($0.heard) - $0.placed }).count == 1)
    #expect(place.renderer.underrunCount == 0)
  }
}
