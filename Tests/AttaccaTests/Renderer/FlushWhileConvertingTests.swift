// SPDX-License-Identifier: Apache-2.0

import Attacca
import Dispatch
import MediaTime
@testable import Rendering
import Testing

/// What is discarded while another rate is being made of it.
@Suite struct FlushWhileConvertingTests {
  private let second = [Float](repeating: 0.5, count: 48_000)
  private let other = [Float](repeating: 0.25, count: 48_000)

  /// A line that plays four seconds, and is to play them twice as fast as soon as `resume` lets the
  /// conversion go on; `meanwhile` comes first.
  private func line(meanwhile: (AudioRenderer) -> Void) -> PulledLine {
    let line = PulledLine()
    line.renderer.audioTimePitchAlgorithm = .varispeed
    for start in 0..<4 as Range<Int64> {
      line.renderer.enqueue(buffer(second, at: RationalTime(frames: start, rate: 1)))
    }
    line.synchronizer.rate = 1
    #expect(line.pull(4_800) == [Float](repeating: 0.5, count: 4_800))
    line.renderer.conversions.queue.suspend()
    line.synchronizer.rate = 2
    meanwhile(line.renderer)
    line.renderer.conversions.queue.resume()
    wait { line.renderer.output.withLock { !line.renderer.intake.unheardBuffers.isConverting } }
    return line
  }

  @Test func `a flush leaves nothing of what was being made`() {
    let line = line { $0.flush() }
    // What was asked for before is still faded out.
    let fading = line.pull(48_000).count
    #expect(fading <= 48_000 / 100)
    #expect(line.renderer.output.withLock { line.renderer.line.ring.count } == 0)
    let held = line.synchronizer.currentTime()
    for start in 0..<2 as Range<Int64> {
      line.renderer.enqueue(
        buffer(other, at: RationalTime(held) + RationalTime(frames: start, rate: 1)))
    }
    line.renderer.finishEnqueuing()
    var heard: [Float] = []
    line.renderer.renderToEnd { heard += $0 }
    // Two seconds, at twice the speed.
    #expect(heard.count(where: { abs($0) > 0.01 }) >= 47_500)
    #expect(heard.allSatisfy { abs($0) < 0.3 })
  }

  @Test func `what is enqueued behind a flush is all that is heard`() {
    let line = line { renderer in
      renderer.flush()
      renderer.enqueue(buffer(other, at: RationalTime(frames: 1, rate: 10)))
      renderer.finishEnqueuing()
    }
    _ = line.pull(0)
    var heard: [Float] = []
    line.renderer.renderToEnd { heard += $0 }
    // The fade of 5 ms of what was heard aside.
    #expect(heard.dropFirst(240).allSatisfy { abs($0) < 0.3 })
    #expect(heard.count(where: { abs($0 - 0.25) < 1e-3 }) >= 23_000)
  }

  @Test func `what is flushed from a time on is not heard`() {
    let line = line { renderer in
      renderer.flush(fromSourceTime: MediaTime(value: 1, timescale: 1)) { #expect($0) }
    }
    line.renderer.enqueue(buffer(other, at: RationalTime(frames: 1, rate: 1)))
    line.renderer.finishEnqueuing()
    wait { !line.renderer.isStale }
    var heard: [Float] = []
    line.renderer.renderToEnd { heard += $0 }
    // Up to one second of media time, a tenth of it at the natural rate; and a second.
    #expect(heard.count == Int(0.9 * 24_000) + 24_000)
    #expect(heard[21_700...].allSatisfy { abs($0) < 0.3 })
  }
}
